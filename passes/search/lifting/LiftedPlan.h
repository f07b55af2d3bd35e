// A plan in which every mesh axis has a name: real placements.
//
// A search decides the number of axes of each kind. A transition
// (BlockTransition.h) distributes these numbers among axis orbits: axes that
// have different kinds at the start of its block are in different ones. The
// axes of one axis orbit get their kinds in order. So the kind of every axis is
// known throughout the network, from the first result on.

#ifndef PASSES_SEARCH_LIFTING_LIFTEDPLAN_H_
#define PASSES_SEARCH_LIFTING_LIFTEDPLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/lifting/BlockTransition.h"

namespace sbp::search {

/// Kind of every axis, class by class.
using AxisKinds = std::vector<Kind>;

/// A step of a plan: a move of a tensor, or an op.
struct LiftedStep {
  TransitionStep::What what = TransitionStep::What::Move;
  int64_t op = 0;  // the op; for a move, the op it leads to
  Phase phase = Phase::Slice;
  int64_t level = 0;
  double devices = 1;
  Ticks ticks = 0;
  AxisKinds reached;
  double bytes = 0;  // bytes that the op keeps
  Storage storage = Storage::Z1;
};

/// The steps between two residual tensors.
struct LiftedBlock {
  int64_t block = -1;  // index in the chain; -1 for head and tail
  std::vector<LiftedStep> branch, skip;
  AxisKinds residual;  // the result; empty after the tail
};

/// A plan, with the kinds of all axes in every step.
struct LiftedPlan {
  LiftedBlock head;
  std::vector<LiftedBlock> blocks;  // one per step
  LiftedBlock tail;
  TimeAndBytes cost;  // sum of all steps
};

/// A plan with the transition of each step.
struct TransitionPlan {
  BlockTransition head, tail;
  std::vector<BlockTransition> transitions;
  std::vector<int64_t> steps;  // per step, index into `transitions`

  TimeAndBytes cost() const;
};

/// Returns the cheapest transitions between these residual layouts; nullopt if
/// one takes too long to find.
std::optional<TransitionPlan> transitionsAlong(
    const PricedChain& priced, const std::vector<Layout>& residuals,
    int64_t maxLooks);

/// Lifts a plan to single axes.
LiftedPlan liftToAxes(const PricedChain& priced, const TransitionPlan& plan);

/// Lifts the cheapest plan with these residual layouts. Returns nullopt if a
/// transition takes too long to find.
std::optional<LiftedPlan> liftToAxes(const PricedChain& priced,
                                     const std::vector<Layout>& residuals,
                                     int64_t maxLooks);

/// Returns a letter per axis, one string per level, such as "bbbbss" and "ssf":
/// the first letter of a dimension, B or P.
std::vector<std::string> lettersOf(const Chain& chain, const LayoutSpace& space,
                                   const AxisKinds& layout);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_LIFTEDPLAN_H_
