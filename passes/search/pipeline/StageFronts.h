// The ways to run a stage that no other way beats: in time, bytes and transient
// at once. There are few if a stage has few units or options; otherwise a front
// has plans close to the least times.
//
// A front is made unit by unit. Of the ways to run the units so far, those of
// one layout are compared; a way is dropped if another takes no more of each
// time, and no more bytes and transient.

#ifndef PASSES_SEARCH_PIPELINE_STAGEFRONTS_H_
#define PASSES_SEARCH_PIPELINE_STAGEFRONTS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/search/pipeline/Boundaries.h"
#include "passes/search/pipeline/JointProblem.h"
#include "passes/search/pipeline/JointSearchTuning.h"
#include "passes/search/pipeline/RunPricing.h"
#include "passes/search/pipeline/SearchWork.h"
#include "passes/search/pipeline/StageLoad.h"

namespace sbp::search {

/// A way to run a stage.
struct StageWay {
  double forward = 0, input = 0, weight = 0, once = 0;  // seconds
  double bytes = 0, transient = 0;                      // under the load
  std::vector<int64_t> options;                         // by unit of the stage
};

/// A stage as the schedule runs it.
struct FrontKind {
  StageLoad load;
  bool isWhole = true;  // only the sum of the halves of its backward counts
  bool isAlone = true;  // on its worker, so that bytes count up to the limit

  bool operator==(const FrontKind& other) const {
    return load == other.load && isWhole == other.isWhole &&
           isAlone == other.isAlone;
  }
};

/// Returns the way in which `options` run `run`, with transfers at its
/// boundaries. The way of a whole backward has it as `input`.
StageWay wayOf(const JointProblem& problem, const JointCase& ofCase,
               const Boundaries& boundaries, const StageRun& run,
               const FrontKind& kind, std::vector<int64_t> options);

/// Ways to run a stage, none of which beats another.
struct StageFront {
  std::vector<StageWay> ways;
  bool isExact = true;  // there are no other ways

  /// Returns the least weighted time of the ways; infinite if there is none.
  double least(const TimeWeights& weights) const;
};

/// The fronts of a case. They are remembered.
class StageFronts {
 public:
  /// All arguments must outlive this object.
  StageFronts(const JointProblem& problem, const JointCase& ofCase,
              const Boundaries& boundaries, const UnitRuns& runs,
              RunPricing& prices, const JointSearchTuning& tuning,
              SearchWork& work)
      : problem_(problem),
        case_(ofCase),
        boundaries_(boundaries),
        runs_(runs),
        prices_(prices),
        tuning_(tuning),
        work_(work) {}

  /// Returns the front of a stage within the memory of a device; nullptr if it
  /// is larger than the tuning allows. The pointer is valid as long as this
  /// object.
  const StageFront* exact(const StageRun& run, const FrontKind& kind);

  /// Returns ways of a stage that take at most `room` bytes, close to its least
  /// times in a step of N = `microBatches`. The reference is valid as long as
  /// this object.
  const StageFront& near(const StageRun& run, const FrontKind& kind,
                         double microBatches, double room);

 private:
  /// The ways to run the first units from some unit on. Of layout `y`, they are
  /// steps[i][y] for i + 1 units.
  struct Step {
    StageWay way;  // without options
    int64_t option = 0, layoutBefore = -1, indexBefore = -1;
  };
  struct Chain {
    FrontKind kind;
    std::vector<std::vector<std::vector<Step>>> steps;
    bool isComplete = true;  // false: the next step has too many ways
    std::map<std::pair<int64_t, int64_t>, StageFront> fronts;
    std::map<std::tuple<int64_t, int64_t, double>, StageFront> near;
  };

  StageRun firstLike(const StageRun& run) const;
  Chain& chainOf(const StageRun& run, const FrontKind& kind);
  void extend(Chain& chain, const StageRun& run);
  bool fits(const StageWay& way) const {
    return way.bytes + way.transient <= problem_.room();
  }

  const JointProblem& problem_;
  const JointCase& case_;
  const Boundaries& boundaries_;
  const UnitRuns& runs_;
  RunPricing& prices_;
  const JointSearchTuning& tuning_;
  SearchWork& work_;
  std::map<std::pair<int64_t, int64_t>, std::deque<Chain>> chains_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_STAGEFRONTS_H_
