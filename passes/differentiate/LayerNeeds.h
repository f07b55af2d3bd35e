// The gradients that a call asks of a layer.

#ifndef PASSES_DIFFERENTIATE_LAYERNEEDS_H_
#define PASSES_DIFFERENTIATE_LAYERNEEDS_H_

#include <optional>
#include <tuple>
#include <vector>

namespace sbp {

/// Key of the functions that are made of one layer: calls with equal needs
/// share them.
struct LayerNeeds {
  /// Per argument, whether its gradient is wanted.
  std::vector<bool> activeArguments;
  /// Per result, whether it has a gradient.
  std::vector<bool> resultGradients;
  /// Per argument, whether it is a weight; nullopt unless the backward is to be
  /// in halves.
  std::optional<std::vector<bool>> weightArguments;

  bool operator<(const LayerNeeds& other) const {
    return std::tie(activeArguments, resultGradients, weightArguments) <
           std::tie(other.activeArguments, other.resultGradients,
                    other.weightArguments);
  }
};

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_LAYERNEEDS_H_
