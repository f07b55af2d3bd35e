// Prices of movements of tensors between placements, which have numbers
// (PlacementTable in DecisionGraph.h).
//
// The table of transitions (passes/boxing/Transitions.h) finds paths for all
// tensors. A search asks for the prices of a few kinds of tensors, millions of
// times. They are cached here, as matrices.

#ifndef PASSES_SEARCH_DECISIONS_MOVEMENTS_H_
#define PASSES_SEARCH_DECISIONS_MOVEMENTS_H_

#include <map>
#include <tuple>
#include <vector>

#include "passes/boxing/Transitions.h"
#include "passes/search/decisions/DecisionGraph.h"

namespace sbp::search {

/// Prices of movements of tensors with one shape, element size and bucketing.
class TensorMovements {
 public:
  using Number = PlacementTable::Number;

  TensorMovements(const PlacementTable& placements,
                  TransitionTable& transitions, llvm::ArrayRef<int64_t> shape,
                  int64_t elementBytes, Bucketing bucketing);

  /// Returns the seconds of the cheapest transition between two placements.
  double seconds(Number from, Number to) {
    double& known = entry(seconds_, from, to);
    if (known == kUnknown) known = askSeconds(from, to);
    return known;
  }

  /// Returns the additional bytes in memory between the steps of this
  /// transition, beside its source and its result; 0 if the table of
  /// transitions only bounds prices.
  double bytesBetween(Number from, Number to) {
    double& known = entry(bytesBetween_, from, to);
    if (known == kUnknown) known = askBytesBetween(from, to);
    return known;
  }

  /// A bucket of the transition holds some fraction of all tensors of this
  /// bucketing. Returns this fraction, as if the other tensors were split like
  /// this one. Returns 0 if the tensor is in no bucket, or if the table of
  /// transitions only bounds prices.
  double partInBucket(Number from, Number to) {
    double& known = entry(partInBucket_, from, to);
    if (known == kUnknown) known = askPartInBucket(from, to);
    return known;
  }

  /// Returns the bytes of the tensor on the busiest device, aligned as in a
  /// program.
  double bytes(Number placement);

 private:
  static constexpr double kUnknown = -1;

  /// Prices per source and target; a row is empty until it is needed.
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

/// Movements of all tensors of a decision graph. Not thread-safe.
class Movements {
 public:
  /// Constructs movements between `placements`. No placement may be added from
  /// now on. Both arguments must outlive this object.
  Movements(const PlacementTable& placements, TransitionTable& transitions)
      : placements_(placements), transitions_(transitions) {}

  TransitionTable& transitions() { return transitions_; }

  /// Returns the prices for the tensor of `flow`; valid as long as this object.
  TensorMovements& of(const Flow& flow);

 private:
  const PlacementTable& placements_;
  TransitionTable& transitions_;
  std::map<std::tuple<std::vector<int64_t>, int64_t, Bucketing>,
           TensorMovements>
      tensors_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_DECISIONS_MOVEMENTS_H_
