// Pins cut the flow of a tensor.
//
// A pin takes the tensor like any other use. What stands behind it is served
// from what was laid for the pin, and from what is made of that:
//
//   made [P] --.--> [S(0)] norm
//              '--> [B] pin --.--> [B] add
//                             '--> [S(1)] gelu     sliced from the pin's [B],
//                                                  not from the norm's [S(0)]
//
// Two pins of one tensor to one placement are one. Behind different pins, and
// beside them, every use takes the cheapest that it may; if that is the same
// box of the same version, it is made once.
//
// As a rule a tensor is pinned where it is made, and all that use it stand
// behind the pin. Then what its movements take is a sum: that of a part up to
// the pin, and of one from there.

#ifndef PASSES_SEARCH_PROGRAM_PINNEDFLOWS_H_
#define PASSES_SEARCH_PROGRAM_PINNEDFLOWS_H_

#include <vector>

#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

bool hasPin(const Flow& flow);

/// Whether `use`, one of those of `flow`, is a pin.
bool isPin(const Flow& flow, const Flow::Use& use);

/// `flow` in parts that have no pins and together take as long: first up to
/// the pin, then from there, up to the next one. If a pin is not the only use
/// where it stands, `flow` as it is. Of memory, parts say nothing: what a pin
/// takes and what it gives may be one buffer.
std::vector<Flow> cutAtPins(const Flow& flow);

/// Per use of `flow` but pins, a flow of that use and of the pins before it. No
/// one takes longer than `flow`.
std::vector<Flow> usesApart(const Flow& flow);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_PINNEDFLOWS_H_
