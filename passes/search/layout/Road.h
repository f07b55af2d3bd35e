// A search for cheap ways through coloured layouts, along the legs and ops of a
// walk.
//
// A step is one move of axes of one level, or a run of an op. The search is A*:
// what is left to pay when colours are forgotten is known for every leg and
// plain layout, and never too much, so ways are found in the order of what they
// cost. Cost is time and a price for every byte (PricedChain.h); of ways to the
// same place, either the cheapest is kept, or all of which none beats another
// in both time and bytes.

#ifndef PASSES_SEARCH_LAYOUT_ROAD_H_
#define PASSES_SEARCH_LAYOUT_ROAD_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/search/layout/ColouredSpace.h"
#include "passes/search/layout/Crossing.h"
#include "passes/search/layout/PricedChain.h"

namespace sbp::search {

/// Which ways to one place are kept.
enum class Keep { Cheapest, Unbeaten };

/// What is left to pay on a leg, for plain layouts: for all of them, or for
/// few; then ways through others are none.
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

/// What a road leads over.
struct RoadMap {
  const Walk* walk = nullptr;  // none if there are no ops
  const std::vector<OpTable>* tables = nullptr;
  std::vector<const Tariff*> tariffs;  // per leg
  std::vector<LeftOnLeg> left;         // per leg
  int64_t firstLeg = 0, lastLeg = 0;
  /// Where the last leg leads; without, the road ends with op lastLeg-1.
  std::optional<Layout> to;
};

class Road {
 public:
  struct Goal {
    TimeAndBytes cost;
    int64_t node = -1;
  };

  /// Ways that cost more than `budget` are none. All must outlive this.
  Road(const ColouredSpace& space, const PricedChain& priced, RoadMap map,
       Keep keep, Ticks budget = kNever);

  /// The next way to the end, costs rising; none if there is no other. Looks at
  /// no more than `looks` layouts, which it counts down.
  std::optional<Goal> next(int64_t& looks);

  bool isExhausted() const { return queue_.empty(); }
  const ColouredLayout& layoutOf(int64_t node) const {
    return met_[nodes_[node].layout].layout;
  }
  std::vector<CrossingStep> stepsTo(int64_t node) const;

 private:
  /// A coloured layout that was met on the way, and what is left when colours
  /// are forgotten.
  struct Met {
    ColouredLayout layout;
    Layout plain = 0;
  };
  struct Node {
    int32_t layout = 0;  // which of those that were met
    int32_t pass = 0;    // moves come in the order of the normal form
    int64_t leg = 0;
    TimeAndBytes cost;
    int64_t parent = -1;
    CrossingStep step;  // without the layout that it reached
  };

  Ticks scalar(const TimeAndBytes& cost) const {
    return cost.ticks + priced_.bytePrice() * cost.bytes;
  }
  bool beats(const TimeAndBytes& a, const TimeAndBytes& b) const;
  int32_t meet(const ColouredLayout& layout);
  /// Where a node is, for which ways are kept: layout, leg and pass.
  int64_t placeOf(const Node& node) const {
    int64_t leg = node.layout * (map_.lastLeg + 1) + node.leg;
    // On one device there are no passes, but layouts and legs all the same.
    auto numPasses = static_cast<int64_t>(order_.size());
    return leg * std::max<int64_t>(numPasses, 1) + node.pass;
  }
  void push(Node node, const ColouredLayout& layout);
  void move(int64_t index);
  /// Moves some axes of the pass's level, of colours from `colour` on,
  /// together: several only in exchanges. What is reached so far is left as it
  /// was.
  void moveAxes(int64_t index, int32_t pass, Kind from, Kind to, size_t colour,
                ColouredLayout& reached, double devices);
  /// Runs the op behind the leg in all ways that read this layout.
  void run(int64_t index);
  /// Shares the axes of the operand out among the kinds of the result, from
  /// this colour and kind on.
  void share(int64_t index, int64_t op, const std::vector<Kind>& reads,
             size_t colour, Kind kind, ColouredLayout& left,
             ColouredLayout& result);
  /// Goes on from the op's result, once per way to store weights.
  void ran(int64_t index, int64_t op, const ColouredLayout& result);

  const ColouredSpace& space_;
  const PricedChain& priced_;
  const Redistribution& moves_;
  std::vector<std::pair<Phase, int64_t>> order_;
  RoadMap map_;
  Keep keep_;
  Ticks budget_;
  std::vector<Met> met_;
  std::unordered_map<ColouredLayout, int32_t> numbers_;  // of those met
  std::vector<Node> nodes_;
  // Per place, the ways that are kept.
  std::unordered_map<int64_t, std::vector<TimeAndBytes>> kept_;
  // The least bound first; of equal ones the newest, which has come furthest.
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

#endif  // PASSES_SEARCH_LAYOUT_ROAD_H_
