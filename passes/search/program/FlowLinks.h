// A decision graph as fans: no more than it costs.
//
// A flow serves its uses one after the other, each from the version of the
// tensor that is the nearest by then (FlowVersions.h). That is a fan of the
// decision that makes the tensor and those that use it, with the prices of
// movements for costs; flows of one shape share them:
//
//            .---> attention
//   norm ----+       :.......> add       from the norm, or from what attention
//            '...............>           was given
//
// Fans are what messages need (solvers/Messages.h). They are what flows cost,
// but for four things, where they cost less:
//
// - Terms are reduced once (passes/boxing/Versions.h), which a fan does not
//   mind.
// - A decision that uses the tensor in several slots, beside others that use
//   it, pays for the first; but others are served from all.
// - A decision that uses what it makes pays for that only if it is served
//   first.
// - A flow of very many uses, or one that is used behind pins and beside them,
//   takes as long as the dearest of them, which is no less than their mean: so
//   it is one fan per use, each of its part of the price.
//
// Pins cut other flows (PinnedFlows.h), and each part has its fan.

#ifndef PASSES_SEARCH_PROGRAM_FLOWLINKS_H_
#define PASSES_SEARCH_PROGRAM_FLOWLINKS_H_

#include <optional>

#include "passes/search/SearchRun.h"
#include "passes/search/program/DecisionGraph.h"
#include "passes/search/program/FlowShares.h"
#include "passes/search/program/Movements.h"
#include "passes/search/solvers/LinkedProblem.h"
#include "passes/search/solvers/Messages.h"

namespace sbp::search {

/// How a decision lays one tensor in some of its slots.
using Face = std::vector<PlacementTable::Number>;

struct FlowLinks {
  LinkedProblem problem;       // a variable per decision
  std::vector<size_t> flowOf;  // per fan, the first if flows are alike
  /// Per view of the problem, the slots that it is of, and its faces.
  std::vector<std::vector<int64_t>> slots;
  std::vector<std::vector<Face>> faces;
};

/// What decisions pay at least of each of `numFlows` flows, by messages between
/// them that have settled.
FlowShares sharesOf(const FlowLinks& links, const Messages& messages,
                    size_t numFlows);

/// The fans of `graph`. No plan costs more by them than by the graph; what is
/// forbidden costs just very much more than any plan computes. Flows that are
/// alike have one fan. Nothing if more than `maxPrices` would be asked for, or
/// when `run` is over.
std::optional<FlowLinks> linksOf(const DecisionGraph& graph,
                                 Movements& movements, double maxPrices,
                                 const SearchRun& run = {});

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_FLOWLINKS_H_
