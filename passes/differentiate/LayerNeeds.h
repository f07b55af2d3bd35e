// The gradients that a call of a layer needs.

#ifndef PASSES_DIFFERENTIATE_LAYERNEEDS_H_
#define PASSES_DIFFERENTIATE_LAYERNEEDS_H_

#include <optional>
#include <tuple>
#include <vector>

namespace sbp {

/// The gradients that a call of a layer needs. Calls of one layer with equal
/// needs share the layer's functions.
struct LayerNeeds {
  /// For each argument, whether its gradient is wanted.
  std::vector<bool> activeArguments;
  /// For each result, whether it has a gradient.
  std::vector<bool> resultGradients;
  /// For each argument, whether it is a weight whose gradient is wanted.
  /// nullopt if the backward function is not in halves.
  std::optional<std::vector<bool>> weightArguments;

  bool operator<(const LayerNeeds& other) const {
    return std::tie(activeArguments, resultGradients, weightArguments) <
           std::tie(other.activeArguments, other.resultGradients,
                    other.weightArguments);
  }
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYERNEEDS_H_
