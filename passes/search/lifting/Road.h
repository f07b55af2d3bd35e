// A search for cheap ways through coloured layouts (Crossing.h), along the legs
// and ops of a walk (Walk.h).
//
// A step is one move of axes of one level, or an op. The search is A*: the cost
// that is left without colours is known per leg and layout, and is a lower
// bound, so ways are found in ascending order of their costs. A cost is time
// plus a price for every byte (PricedChain.h). A place is a coloured layout on
// a leg, with the phase and level of the moves that may follow. Of the ways to
// one place, either the cheapest is kept, or all that are not dominated in time
// and bytes.

#ifndef PASSES_SEARCH_LIFTING_ROAD_H_
#define PASSES_SEARCH_LIFTING_ROAD_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/search/chain/PricedChain.h"
#include "passes/search/lifting/Crossing.h"
#include "passes/search/symmetry/ColouredSpace.h"

namespace sbp::search {

/// Whether the cheapest way to a place is kept, or all non-dominated ones.
enum class Keep { Cheapest, Unbeaten };

/// Cost that is left on a leg, per layout without colours. It is given for all
/// layouts, or for few; in the latter case ways pass only these few.
class LeftOnLeg {
 public:
  explicit LeftOnLeg(Values all) : all_(std::move(all)) {}
  explicit LeftOnLeg(const std::vector<std::pair<Layout, Ticks>>& few)
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

/// The part of a walk that a road follows.
struct RoadMap {
  const Walk* walk = nullptr;  // null if there are no ops
  const std::vector<OpTable>* tables = nullptr;
  std::vector<const Tariff*> tariffs;  // per leg
  std::vector<LeftOnLeg> left;         // per leg
  int64_t firstLeg = 0, lastLeg = 0;
  /// Layout at the end of the last leg; nullopt if the road ends with op
  /// lastLeg-1.
  std::optional<Layout> to;
};

/// The search along one road map.
class Road {
 public:
  /// The end of a way: its cost and its node, for stepsTo().
  struct Goal {
    TimeAndBytes cost;
    int64_t node = -1;
  };

  /// Drops ways that cost more than `budget`. All arguments must outlive this
  /// object.
  Road(const ColouredSpace& space, const PricedChain& priced, RoadMap map,
       Keep keep, Ticks budget = kNever);

  /// Returns the next way to the end, in ascending order of cost; nullopt if
  /// there is none. Visits at most `looks` layouts, and subtracts the number
  /// visited from `looks`.
  std::optional<Goal> next(int64_t& looks);

  bool isExhausted() const { return queue_.empty(); }
  const ColouredLayout& layoutOf(int64_t node) const {
    return met_[nodes_[node].layout].layout;
  }
  std::vector<CrossingStep> stepsTo(int64_t node) const;

 private:
  /// A coloured layout that was visited, with and without colours.
  struct Met {
    ColouredLayout layout;
    Layout plain = 0;
  };
  /// A way: its last step, and the node of the way without this step.
  struct Node {
    int32_t layout = 0;  // index in met_
    int32_t pass = 0;    // moves follow the normal form
    int64_t leg = 0;
    TimeAndBytes cost;
    int64_t parent = -1;
    CrossingStep step;  // without `reached`
  };

  Ticks scalar(const TimeAndBytes& cost) const {
    return cost.ticks + priced_.bytePrice() * cost.bytes;
  }
  bool beats(const TimeAndBytes& a, const TimeAndBytes& b) const;
  int32_t meet(const ColouredLayout& layout);
  /// Returns the index of the node's place: layout, leg and pass.
  int64_t placeOf(const Node& node) const {
    int64_t leg = node.layout * (map_.lastLeg + 1) + node.leg;
    // On one device there are no passes, but there are layouts and legs.
    auto numPasses = static_cast<int64_t>(order_.size());
    return leg * std::max<int64_t>(numPasses, 1) + node.pass;
  }
  void push(Node node, const ColouredLayout& layout);
  void move(int64_t index);
  /// Moves some axes of the pass's level, of colours from `colour` on,
  /// together; several axes only in exchanges. Leaves `reached` as it was.
  void moveAxes(int64_t index, int32_t pass, Kind from, Kind to, size_t colour,
                ColouredLayout& reached, double devices);
  /// Runs the op after the leg, for all results whose operand has this layout.
  void run(int64_t index);
  /// Distributes the axes of the operand among the kinds of the result, from
  /// this colour and kind on.
  void share(int64_t index, int64_t op, const std::vector<Kind>& reads,
             size_t colour, Kind kind, ColouredLayout& left,
             ColouredLayout& result);
  /// Continues from the op's result, once per storage of weights.
  void ran(int64_t index, int64_t op, const ColouredLayout& result);

  const ColouredSpace& space_;
  const PricedChain& priced_;
  const Redistribution& moves_;
  std::vector<std::pair<Phase, int64_t>> order_;
  RoadMap map_;
  Keep keep_;
  Ticks budget_;
  std::vector<Met> met_;
  std::unordered_map<ColouredLayout, int32_t> numbers_;  // indices in met_
  std::vector<Node> nodes_;
  // The ways that are kept, per place.
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

#endif  // PASSES_SEARCH_LIFTING_ROAD_H_
