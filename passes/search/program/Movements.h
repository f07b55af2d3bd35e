// What it takes to lay a tensor otherwise, from one numbered placement to
// another.
//
// The table of transitions (passes/boxing/Transitions.h) knows all ways of all
// tensors. A search asks for the prices of a few kinds of tensors, millions of
// times; here they stand side by side.

#ifndef PASSES_SEARCH_PROGRAM_MOVEMENTS_H_
#define PASSES_SEARCH_PROGRAM_MOVEMENTS_H_

#include <map>
#include <tuple>
#include <vector>

#include "passes/boxing/Transitions.h"
#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

/// The movements of tensors of one shape and one bucketing.
class TensorMovements {
 public:
  using Number = PlacementTable::Number;

  TensorMovements(const PlacementTable& placements,
                  TransitionTable& transitions, llvm::ArrayRef<int64_t> shape,
                  int64_t elementBytes, Bucketing bucketing);

  /// Seconds of the cheapest transition.
  double seconds(Number from, Number to) {
    double& known = entry(seconds_, from, to);
    if (known == kUnknown) known = askSeconds(from, to);
    return known;
  }

  /// What lies in memory between the steps of that transition, beside what it
  /// begins and ends with; none where the table of transitions bounds prices
  /// only.
  double bytesBetween(Number from, Number to) {
    double& known = entry(bytesBetween_, from, to);
    if (known == kUnknown) known = askBytesBetween(from, to);
    return known;
  }

  /// Returns the share of all tensors of this bucketing that a bucket of the
  /// transition holds, if the others are split as this tensor is. Zero if the
  /// tensor goes into no bucket, or the table of transitions only bounds
  /// prices.
  double partInBucket(Number from, Number to) {
    double& known = entry(partInBucket_, from, to);
    if (known == kUnknown) known = askPartInBucket(from, to);
    return known;
  }

  /// Of the tensor, on the device that has most, as a program aligns it.
  double bytes(Number placement);

 private:
  static constexpr double kUnknown = -1;

  /// By where movements begin, as far as they were asked for, and end.
  using Matrix = std::vector<std::vector<double>>;

  double& entry(Matrix& matrix, Number from, Number to) const {
    std::vector<double>& row = matrix[from];
    if (row.empty()) row.assign(placements_->size(), kUnknown);
    return row[to];
  }
  double askSeconds(Number from, Number to);
  double askBytesBetween(Number from, Number to);
  double askPartInBucket(Number from, Number to);
  double localBytes(llvm::ArrayRef<Component> placement) const;

  const PlacementTable* placements_;
  TransitionTable* transitions_;
  llvm::SmallVector<int64_t, 4> shape_;
  int64_t elementBytes_;
  Bucketing bucketing_;
  Matrix seconds_, bytesBetween_, partInBucket_;
  std::vector<double> bytes_;
};

/// The movements of all tensors of a decision graph. Not safe for use by
/// several threads at a time.
class Movements {
 public:
  /// Of tensors that lie as `placements` knows, to which none may be added any
  /// more. Both must outlive this.
  Movements(const PlacementTable& placements, TransitionTable& transitions)
      : placements_(placements), transitions_(transitions) {}

  TransitionTable& transitions() { return transitions_; }

  /// Lives as long as this.
  TensorMovements& of(const Flow& flow);

 private:
  const PlacementTable& placements_;
  TransitionTable& transitions_;
  std::map<std::tuple<std::vector<int64_t>, int64_t, Bucketing>,
           TensorMovements>
      tensors_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_MOVEMENTS_H_
