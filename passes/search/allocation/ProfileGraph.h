// PipeDream's profile of a network, as text: a line per node, and a line that
// begins with a tab or blanks per edge.
//
//   node4 -- Embedding(32320, 1024) -- forward_compute_time=0.073,
//     backward_compute_time=6.949, activation_size=6291456.0,
//     parameter_size=132382720.000                      (in one line)
//   	node1 -- node4
//
// Times are in milliseconds, sizes in bytes. An activation_size may be a list,
// [a; b; c], of all that the node returns.

#ifndef PASSES_SEARCH_ALLOCATION_PROFILEGRAPH_H_
#define PASSES_SEARCH_ALLOCATION_PROFILEGRAPH_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "passes/search/allocation/LayerChain.h"

namespace sbp::search {

/// Returns the chain of a profile. Its layers are the nodes in topological
/// order, those with lower numbers first. A tensor crosses every cut from its
/// node to its last reader. Nodes whose description begins with "Input", and
/// nodes without time, weights and readers, are no layers. Fails, with the
/// line, if the text is malformed or the graph has a cycle.
absl::StatusOr<LayerChain> readProfile(std::string_view text);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_ALLOCATION_PROFILEGRAPH_H_
