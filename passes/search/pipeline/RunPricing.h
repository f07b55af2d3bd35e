// Prices of runs of units: lower bounds of a weighted sum of a stage's times
// within the memory of a device, and plans close above.
//
// The dual bound: with a price p per byte, let
//
//   L(p) = least over the run's options of  time + p (bytes - room)
//
// which is found unit by unit, layout by layout. Each L(p) is a lower bound of
// the time of all options that fit. The largest is where the line through two
// options, a fast one that does not fit and a small one that does, is the lower
// hull of all; the price of memory is its slope. It is found by cutting planes.
//
// The largest transient of a stage counts once. So options are tried up to one
// transient after the other, with the room that it leaves.

#ifndef PASSES_SEARCH_PIPELINE_RUNPRICING_H_
#define PASSES_SEARCH_PIPELINE_RUNPRICING_H_

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "passes/search/pipeline/Boundaries.h"
#include "passes/search/pipeline/JointProblem.h"
#include "passes/search/pipeline/JointSearchTuning.h"
#include "passes/search/pipeline/SearchWork.h"
#include "passes/search/pipeline/StageLoad.h"
#include "passes/search/pipeline/TimeWeights.h"
#include "passes/search/pipeline/UnitRuns.h"

namespace sbp::search {

/// A run of units as a stage, with its boundaries.
struct StageRun {
  /// Boundary at the end of the model.
  static constexpr int64_t kNone = -1;

  int64_t begin = 0, end = 0;             // units begin, ..., end - 1
  int64_t before = kNone, after = kNone;  // index in Boundaries::all
};

/// The prices of a case. They are remembered by kinds of units, boundaries,
/// weights and load.
class RunPricing {
 public:
  /// All arguments must outlive this object.
  RunPricing(const JointProblem& problem, const JointCase& ofCase,
             const Boundaries& boundaries, const UnitRuns& runs,
             const JointSearchTuning& tuning, SearchWork& work);

  /// Returns the numbers by which `low` names weights and loads.
  int64_t addWeights(const TimeWeights& weights);
  int64_t addLoad(const StageLoad& load);
  const TimeWeights& weights(int64_t number) const { return weights_[number]; }

  /// Returns a lower bound of the weighted time of a stage that fits into the
  /// memory; infinite if none fits.
  double low(const StageRun& run, int64_t weights, int64_t load);

  /// Returns the least weighted time of a run, plus its bytes without
  /// transients times `pricePerByte`, whether it fits or not. Few different
  /// prices should be asked for, since all are remembered.
  double lowAt(const StageRun& run, int64_t weights, int64_t load,
               double pricePerByte);

  /// Returns options of the run's units, a list per plan, that take at most
  /// `room` bytes: the fastest if it fits, and otherwise the smaller plan of
  /// the hull, and the units of the faster plan up to, or from, the unit where
  /// the rest of the room is used up. Empty if nothing fits.
  std::vector<std::vector<int64_t>> plansOf(const StageRun& run,
                                            const TimeWeights& weights,
                                            const StageLoad& load, double room);

 private:
  StageRun firstLike(const StageRun& run) const;

  struct Key {
    int64_t begin, end, before, after, weights, load;
    bool operator==(const Key& other) const;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };

  /// A price of a second and of a byte. Of options with the same price, those
  /// with fewer bytes are taken, or, if seconds are free, those with less time.
  struct Prices {
    double second = 1, byte = 0;
  };
  /// A plan of a run at some prices.
  struct Point {
    double price = 0, seconds = 0, bytes = 0;
    std::vector<int64_t> options;  // by unit, if asked for
  };
  struct Target {
    const StageRun& run;
    const TimeWeights& weights;
    const StageLoad& load;
  };
  /// Transients of options up to `most` need at least `least` bytes of room.
  struct TransientClass {
    double least = 0, most = 0;
  };
  /// The dual bound, and the two plans of the hull.
  struct Dual {
    double low = 0;
    Point fast, small;
  };

  Point cheapest(const Target& target, const Prices& prices,
                 double mostTransient, bool withOptions);
  Dual dualOf(const Target& target, const TransientClass& transients,
              double room, double enough, bool withOptions);
  void splice(const Target& target, const Dual& dual, double room,
              std::vector<std::vector<int64_t>>& plans) const;

  const JointProblem& problem_;
  const JointCase& case_;
  const Boundaries& boundaries_;
  const UnitRuns& runs_;
  const JointSearchTuning& tuning_;
  SearchWork& work_;
  std::vector<TimeWeights> weights_;
  std::vector<StageLoad> loads_;
  std::vector<TransientClass> transients_;  // largest first
  std::unordered_map<Key, double, KeyHash> lows_;
  std::map<double, std::unordered_map<Key, double, KeyHash>> lowsAt_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_RUNPRICING_H_
