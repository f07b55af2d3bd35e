// A plan in which every mesh axis has a name: real placements.
//
// A search decides the number of axes of each kind. A crossing (Crossing.h)
// distributes these numbers among colours of axes: axes that have different
// kinds at the start of its block. The axes of one colour get their kinds in
// order. So the kind of every axis is known throughout the network, from the
// first result on.

#ifndef PASSES_SEARCH_LIFTING_NAMEDPLAN_H_
#define PASSES_SEARCH_LIFTING_NAMEDPLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/lifting/Crossing.h"

namespace sbp::search {

/// Kind of every axis, class by class.
using NamedLayout = std::vector<Kind>;

/// A step of a plan: a move of a tensor, or an op.
struct NamedStep {
  CrossingStep::What what = CrossingStep::What::Move;
  int64_t op = 0;  // the op; for a move, the op it leads to
  Phase phase = Phase::Slice;
  int64_t level = 0;
  double devices = 1;
  Ticks ticks = 0;
  NamedLayout reached;
  double bytes = 0;  // bytes that the op keeps
  Storage storage = Storage::Z1;
};

/// The steps between two residual tensors.
struct NamedBlock {
  int64_t block = -1;  // index in the chain; -1 for head and tail
  std::vector<NamedStep> branch, skip;
  NamedLayout residual;  // the result; empty after the tail
};

/// A plan, with the kinds of all axes in every step.
struct NamedPlan {
  NamedBlock head;
  std::vector<NamedBlock> blocks;  // one per step
  NamedBlock tail;
  TimeAndBytes cost;  // sum of all steps
};

/// A plan with the crossing of each step.
struct CrossedPlan {
  Crossing head, tail;
  std::vector<Crossing> crossings;
  std::vector<int64_t> steps;  // per step, index into `crossings`

  TimeAndBytes cost() const;
};

/// Returns the cheapest crossings between these residual layouts; nullopt if
/// one takes too long to find.
std::optional<CrossedPlan> crossAlong(const PricedChain& priced,
                                      const std::vector<Layout>& residuals,
                                      int64_t maxLooks);

/// Names the axes of a plan.
NamedPlan nameAxes(const PricedChain& priced, const CrossedPlan& plan);

/// Names the axes of the cheapest plan with these residual layouts. Returns
/// nullopt if a crossing takes too long to find.
std::optional<NamedPlan> nameAxes(const PricedChain& priced,
                                  const std::vector<Layout>& residuals,
                                  int64_t maxLooks);

/// Returns a letter per axis, one string per level, such as "bbbbss" and "ssf":
/// the first letter of a dimension, B or P.
std::vector<std::string> lettersOf(const Chain& chain, const LayoutSpace& space,
                                   const NamedLayout& layout);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_NAMEDPLAN_H_
