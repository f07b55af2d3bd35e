// Chains as files. Three forms are told apart by how the text begins:
//
//   { or [   JSON: lists "uF" and "uB" (milliseconds), "W" and "a" (megabytes
//            of weights, and of activations: a[0] is the input, a[l] the output
//            of layer l). Names may end in their unit: uF_ms, W_MB. "P", "M"
//            (megabytes) and "beta" (megabytes per millisecond) are optional.
//            The object may be the value of "inputs", and be one of a list.
//   pos,     CSV: a row per layer, with columns fwd_ms, bwd_ms, weight_bytes,
//            cut_bytes_after, act_bytes and node.
//   other    PipeDream's profile: nodes with forward_compute_time (ms),
//            backward_compute_time, activation_size, parameter_size (bytes),
//            and edges. The layers are the nodes in topological order, those
//            with lower numbers first. Inputs cost nothing and are left out, as
//            are nodes without time, weights and readers.
//
// A megabyte has 1,000,000 bytes.

#ifndef PASSES_SEARCH_ALLOCATION_CHAINFILES_H_
#define PASSES_SEARCH_ALLOCATION_CHAINFILES_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "passes/search/allocation/LayerChain.h"

namespace sbp::search {

/// A chain, and what else its file may say.
struct ChainFile {
  LayerChain chain;
  std::optional<int64_t> processors;
  std::optional<double> memory;     // bytes
  std::optional<double> bandwidth;  // bytes per millisecond
};

/// Returns the chain that `text` describes. `instance` chooses one of a JSON
/// list, from 0; a list of several needs it. Fails if the text is malformed,
/// with the line or the name of the value, or if the chain is not sound.
absl::StatusOr<ChainFile> readChain(std::string_view text,
                                    std::optional<int64_t> instance);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_CHAINFILES_H_
