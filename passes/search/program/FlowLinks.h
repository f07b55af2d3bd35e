// A decision graph as links between two decisions each: no more than it costs.
//
// A flow serves all its uses together (FlowVersions.h). To serve them all takes
// as long as to serve the dearest, which is no less than their mean; so a flow
// from one decision to k others is k links, each of a k-th of its price:
//
//            .--1/3--> attention
//   norm ----+--1/3--> add                      a decision that uses the tensor
//            '--1/3--> norm's gradient          in several slots: the dearest
//
// Such links are what messages need (solvers/Messages.h), and they are formed
// soon: their prices are those of movements, which flows of one shape share.

#ifndef PASSES_SEARCH_PROGRAM_FLOWLINKS_H_
#define PASSES_SEARCH_PROGRAM_FLOWLINKS_H_

#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/Movements.h"
#include "passes/search/solvers/Messages.h"

namespace sbp::search {

/// The links of `graph`, a variable per decision. No plan costs less by them
/// than by the graph, but that what is forbidden costs just very much more than
/// any plan computes. Pins are left out.
LinkedProblem linksOf(const DecisionGraph& graph, Movements& movements);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_FLOWLINKS_H_
