// A plan in which every mesh axis has its name: real placements.
//
// A search decides how many axes have which kind. A crossing says how axes that
// have different kinds where a block starts share those counts out; axes that
// are still alike take their parts in order. So from the first result on every
// axis is followed through the network.

#ifndef PASSES_SEARCH_LAYOUT_NAMEDPLAN_H_
#define PASSES_SEARCH_LAYOUT_NAMEDPLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "passes/search/layout/Crossing.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// The kind of every axis, class by class.
using NamedLayout = std::vector<Kind>;

struct NamedStep {
  CrossingStep::What what = CrossingStep::What::Move;
  int64_t op = 0;  // the op that runs; of moves, the one they lead to
  Phase phase = Phase::Slice;
  int64_t level = 0;
  double devices = 1;
  Ticks ticks = 0;
  NamedLayout reached;
  double bytes = 0;  // that the op keeps
  Storage storage = Storage::Z1;
};

/// What happens between two residual tensors.
struct NamedBlock {
  int64_t block = -1;  // of the chain; -1 for head and tail
  std::vector<NamedStep> branch, skip;
  NamedLayout residual;  // what it makes; empty after the tail
};

struct NamedPlan {
  NamedBlock head;
  std::vector<NamedBlock> blocks;  // one per step
  NamedBlock tail;
  TimeAndBytes cost;  // the sum of all that it says
};

/// How each step of a plan is taken.
struct CrossedPlan {
  Crossing head, tail;
  std::vector<Crossing> crossings;
  std::vector<int64_t> steps;  // per step, which of `crossings` it takes

  TimeAndBytes cost() const;
};

/// The cheapest crossings between these residual layouts; nothing if one takes
/// too long to find.
std::optional<CrossedPlan> crossAlong(const PricedChain& priced,
                                      const std::vector<Layout>& residuals,
                                      int64_t maxLooks);

/// Names the axes of a plan.
NamedPlan nameAxes(const PricedChain& priced, const CrossedPlan& plan);

/// Names the axes of the cheapest plan with these residual layouts.
std::optional<NamedPlan> nameAxes(const PricedChain& priced,
                                  const std::vector<Layout>& residuals,
                                  int64_t maxLooks);

/// The letters of a placement, level by level: "bbbbss ssf", with the first
/// letter of each dimension, B and P.
std::vector<std::string> lettersOf(const Chain& chain, const LayoutSpace& space,
                                   const NamedLayout& layout);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_NAMEDPLAN_H_
