// A search for cheap paths through stabiliser orbits (BlockTransition.h), along
// the stages and ops of a block operator (BlockOperator.h).
//
// A step is one move of axes of one level, or an op. The search is A*: the cost
// that is left by counts is known per stage and layout, and is a lower
// bound, so paths are found in ascending order of their costs. A cost is time
// plus a price for every byte (PricedChain.h). A place is a stabiliser orbit on
// a stage, with the phase and level of the moves that may follow. Of the paths
// to one place, either the cheapest is kept, or all that are not dominated in
// time and bytes.

#ifndef PASSES_SEARCH_LIFTING_TRANSITIONSEARCH_H_
#define PASSES_SEARCH_LIFTING_TRANSITIONSEARCH_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/lifting/BlockTransition.h"
#include "passes/search/symmetry/StabiliserSpace.h"

namespace sbp::search {

/// Whether the cheapest path to a place is kept, or all non-dominated ones.
enum class Keep { Cheapest, Unbeaten };

/// Cost that is left on a stage, per layout. It is given for all layouts, or
/// for few; in the latter case paths pass only these few.
class CostToGo {
 public:
  explicit CostToGo(Values all) : all_(std::move(all)) {}
  explicit CostToGo(const std::vector<std::pair<Layout, Ticks>>& few)
      : few_(few.begin(), few.end()) {}

  Ticks operator[](Layout layout) const {
    if (!all_.empty()) return all_[layout];
    auto found = few_.find(layout);
    return found == few_.end() ? kNever : found->second;
  }

 private:
  Values all_;
  std::unordered_map<Layout, Ticks> few_;
};

/// The part of a block operator that a search follows.
struct TransitionProblem {
  const BlockOperator* blockOperator = nullptr;  // null if there are no ops
  const std::vector<OpTable>* tables = nullptr;
  std::vector<const Tariff*> tariffs;  // per stage
  std::vector<CostToGo> left;          // per stage
  int64_t firstStage = 0, lastStage = 0;
  /// Layout at the end of the last stage; nullopt if the search ends with op
  /// lastStage-1.
  std::optional<Layout> to;
};

/// The search of one problem.
class TransitionSearch {
 public:
  /// The end of a path: its cost and its node, for stepsTo().
  struct Goal {
    TimeAndBytes cost;
    int64_t node = -1;
  };

  /// Drops paths that cost more than `budget`. All arguments must outlive this
  /// object.
  TransitionSearch(const StabiliserSpace& space, const PricedChain& priced,
                   TransitionProblem map, Keep keep, Ticks budget = kNever);

  /// Returns the next path to the end, in ascending order of cost; nullopt if
  /// there is none. Visits at most `looks` layouts, and subtracts the number
  /// visited from `looks`.
  std::optional<Goal> next(int64_t& looks);

  bool isExhausted() const { return queue_.empty(); }
  const StabiliserOrbit& layoutOf(int64_t node) const {
    return met_[nodes_[node].layout].layout;
  }
  std::vector<TransitionStep> stepsTo(int64_t node) const;

 private:
  /// A stabiliser orbit that was visited, and its layout.
  struct Met {
    StabiliserOrbit layout;
    Layout plain = 0;
  };
  /// A path: its last step, and the node of the path without this step.
  struct Node {
    int32_t layout = 0;  // index in met_
    int32_t pass = 0;    // moves follow the normal form
    int64_t stage = 0;
    TimeAndBytes cost;
    int64_t parent = -1;
    TransitionStep step;  // without `reached`
  };

  Ticks scalar(const TimeAndBytes& cost) const {
    return cost.ticks + priced_.bytePrice() * cost.bytes;
  }
  bool beats(const TimeAndBytes& a, const TimeAndBytes& b) const;
  int32_t meet(const StabiliserOrbit& layout);
  /// Returns the index of the node's place: layout, stage and pass.
  int64_t placeOf(const Node& node) const {
    int64_t stage = node.layout * (map_.lastStage + 1) + node.stage;
    // On one device there are no passes, but there are layouts and stages.
    auto numPasses = static_cast<int64_t>(order_.size());
    return stage * std::max<int64_t>(numPasses, 1) + node.pass;
  }
  void push(Node node, const StabiliserOrbit& layout);
  void move(int64_t index);
  /// Moves some axes of the pass's level, of axis orbits from `axisOrbit` on,
  /// together; several axes only in exchanges. Leaves `reached` as it was.
  void moveAxes(int64_t index, int32_t pass, Kind from, Kind to,
                size_t axisOrbit, StabiliserOrbit& reached, double devices);
  /// Runs the op after the stage, for all results whose operand has this
  /// layout.
  void run(int64_t index);
  /// Distributes the axes of the operand among the kinds of the result, from
  /// this axis orbit and kind on.
  void share(int64_t index, int64_t op, const std::vector<Kind>& reads,
             size_t axisOrbit, Kind kind, StabiliserOrbit& left,
             StabiliserOrbit& result);
  /// Continues from the op's result, once per storage of weights.
  void ran(int64_t index, int64_t op, const StabiliserOrbit& result);

  const StabiliserSpace& space_;
  const PricedChain& priced_;
  const Redistribution& moves_;
  std::vector<std::pair<Phase, int64_t>> order_;
  TransitionProblem map_;
  Keep keep_;
  Ticks budget_;
  std::vector<Met> met_;
  std::unordered_map<StabiliserOrbit, int32_t> numbers_;  // indices in met_
  std::vector<Node> nodes_;
  // The paths that are kept, per place.
  std::unordered_map<int64_t, std::vector<TimeAndBytes>> kept_;
  // The least bound is first; of equal ones the newest, which has come
  // farthest.
  struct Later {
    bool operator()(const std::pair<Ticks, int64_t>& a,
                    const std::pair<Ticks, int64_t>& b) const {
      return a.first != b.first ? b.first < a.first : a.second < b.second;
    }
  };
  std::priority_queue<std::pair<Ticks, int64_t>,
                      std::vector<std::pair<Ticks, int64_t>>, Later>
      queue_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LIFTING_TRANSITIONSEARCH_H_
