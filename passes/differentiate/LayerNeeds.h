// The gradients that a call asks of a layer.

#ifndef PASSES_DIFFERENTIATE_LAYERNEEDS_H_
#define PASSES_DIFFERENTIATE_LAYERNEEDS_H_

#include <optional>
#include <tuple>
#include <vector>

namespace sbp {

/// The gradients that a call needs. Calls of one layer with equal needs share
/// the layer's functions.
struct LayerNeeds {
  /// Per argument, whether its gradient is wanted.
  std::vector<bool> activeArguments;
  /// Per result, whether it has a gradient.
  std::vector<bool> resultGradients;
  /// Per argument, whether it is a weight whose gradient is wanted; nullopt
  /// unless the backward function is to be in halves.
  std::optional<std::vector<bool>> weightArguments;

  bool operator<(const LayerNeeds& other) const {
    return std::tie(activeArguments, resultGradients, weightArguments) <
           std::tie(other.activeArguments, other.resultGradients,
                    other.weightArguments);
  }
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYERNEEDS_H_
