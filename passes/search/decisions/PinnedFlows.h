// Flows of tensors with pins.
//
// A pin uses the tensor like any other use. The uses after the pin are served
// from the version that was made for the pin, and from versions boxed from it:
//
//   made [P] --.--> [S(0)] norm
//              '--> [B] pin --.--> [B] add
//                             '--> [S(1)] gelu     sliced from the pin's [B],
//                                                  not from the norm's [S(0)]
//
// Two pins of one tensor to one placement are one pin. Each use is served in
// the cheapest way from the versions that it may use: those after its pin, or,
// without a pin before it, those of the tensor as made. Equal boxings of one
// version are made once.
//
// As a rule a tensor is pinned where it is made, and all its uses are after the
// pin. Then the cost of its movements is a sum: up to the pin, and from there
// on.

#ifndef PASSES_SEARCH_DECISIONS_PINNEDFLOWS_H_
#define PASSES_SEARCH_DECISIONS_PINNEDFLOWS_H_

#include <vector>

#include "passes/search/decisions/DecisionGraph.h"

namespace sbp::search {

/// Whether a use of `flow` is after a pin.
bool hasPin(const Flow& flow);

/// Whether `use`, one of the uses of `flow`, is a pin with uses after it.
bool isPin(const Flow& flow, const Flow::Use& use);

/// Cuts `flow` at its pins. Returns parts without pins: one up to the first
/// pin, and one from each pin on. Their costs add up to that of `flow`, but
/// their memory does not: source and result of a pin may be one buffer. Returns
/// `flow` itself if some pin is not the only use after the same pin, or of the
/// tensor as made.
std::vector<Flow> cutAtPins(const Flow& flow);

/// Returns a flow for each use of `flow` that is not a pin: of this use and the
/// pins before it. None of these flows costs more than `flow`.
std::vector<Flow> usesApart(const Flow& flow);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_PINNEDFLOWS_H_
