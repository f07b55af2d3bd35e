// A chain of layers with measured costs.
//
//   cuts[0]  layer 0  cuts[1]  layer 1  cuts[2]  ...  layer L-1  cuts[L]
//
// A micro-batch goes forward through all layers and comes back. `cuts[i]` are
// the bytes that go from layer i - 1 to layer i, and come back as gradients. A
// network with branches is a chain of its layers in an order in which they can
// run; then several tensors may cross a cut. Times are in milliseconds.

#ifndef PASSES_SEARCH_ALLOCATION_LAYERCHAIN_H_
#define PASSES_SEARCH_ALLOCATION_LAYERCHAIN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace sbp::search {

/// The largest number of layers that check() accepts.
inline constexpr int64_t kMaxLayers = 10'000;

/// A chain of layers, as described at the head of this file.
struct LayerChain {
  std::vector<std::string> names;         // by layer; empty if unknown
  std::vector<double> forward, backward;  // milliseconds, by layer
  std::vector<double> weights;            // bytes, by layer
  /// Bytes that a layer's forward makes and later layers of the same stage keep
  /// for their backward, per micro-batch, by layer.
  std::vector<double> outputs;
  std::vector<double> cuts;  // bytes, one more than there are layers

  int64_t numLayers() const { return static_cast<int64_t>(forward.size()); }

  /// Fails if there is no layer or more than kMaxLayers, if a list has the
  /// wrong length, if a number is negative or not finite, or if no layer takes
  /// time.
  absl::Status check() const;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_LAYERCHAIN_H_
