// Runs of consecutive units, up to equality of their kinds. All runs of n equal
// layers have the same prices, wherever they begin.

#ifndef PASSES_SEARCH_PIPELINE_UNITRUNS_H_
#define PASSES_SEARCH_PIPELINE_UNITRUNS_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace sbp::search {

/// Finds the first run that has the kinds of a given run.
class UnitRuns {
 public:
  /// Compares all runs of units of these kinds. Takes time proportional to the
  /// square of the number of units.
  explicit UnitRuns(const std::vector<int64_t>& kinds);

  /// Returns the least unit at which a run begins that has the same kinds as
  /// the units begin, ..., end - 1.
  int64_t firstLike(int64_t begin, int64_t end) const;

  /// Returns the end of the run of units of the same kind as `unit`.
  int64_t endOfKind(int64_t unit) const { return endsOfKind_[unit]; }

 private:
  /// A unit from which on `length` kinds are the same.
  struct Match {
    int64_t begin, length;
  };
  /// For each unit, earlier units in ascending order, with growing lengths.
  std::vector<std::vector<Match>> matches_;
  std::vector<int64_t> endsOfKind_;  // by unit
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_UNITRUNS_H_
