// Options for how the calls of a layer may be placed.

#ifndef PASSES_PLACEMENT_LAYERPLANS_H_
#define PASSES_PLACEMENT_LAYERPLANS_H_

namespace sbp {

/// The ways in which the calls of a layer may be placed.
enum class LayerPlans {
  Tied,  // a function is placed once, for all its calls
  Free,  // each call is placed separately (FreeLayers.h)
};

}  // namespace sbp

#endif  // PASSES_PLACEMENT_LAYERPLANS_H_
