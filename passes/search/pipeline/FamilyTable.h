// The table of a family for one depth and number of micro-batches, and the
// facts of it that a search needs: which worker runs which stage, and how many
// micro-batches of it the worker keeps.

#ifndef PASSES_SEARCH_PIPELINE_FAMILYTABLE_H_
#define PASSES_SEARCH_PIPELINE_FAMILYTABLE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/families/FamilyText.h"
#include "passes/search/pipeline/StageCost.h"
#include "passes/search/pipeline/StageLoad.h"

namespace sbp::search {

/// A stage on one of its workers.
struct WorkerStage {
  int64_t stage = 0;
  StageLoad load;
  /// Largest number of micro-batches between their forward and the end of
  /// their backward, or of their backward of inputs.
  double beforeInput = 1;
  double microBatches = 0;  // per step that this worker runs of the stage
  double updates = 0;       // per step
  bool isWhole = true;      // no backward is in halves
};

/// Returns the durations of tasks and messages with these costs by stage.
schedule::Durations durationsOf(const std::vector<StageCost>& costs);

/// A table with updates, and its facts. Not copyable, because Dependencies
/// refers to the table.
class FamilyTable {
 public:
  FamilyTable(const FamilyTable&) = delete;
  FamilyTable& operator=(const FamilyTable&) = delete;

  /// Returns the table of `family` for D workers with V stages each and N
  /// micro-batches. If the table has no updates, a worker ends its row with the
  /// updates of its stages. Fails if the family has no such table.
  static absl::StatusOr<std::unique_ptr<FamilyTable>> make(
      const schedule::ChosenFamily& family, const JointCase& ofCase);

  /// Returns `table`, which must have passed `check`, with updates as above.
  static std::unique_ptr<FamilyTable> of(schedule::Table table);

  int64_t numStages() const { return table_.numStages; }
  int64_t numMicroBatches() const { return table_.numMicroBatches; }
  const schedule::Table& table() const { return table_; }

  /// Returns the number of tasks, to which the time of secondsOf is
  /// proportional.
  int64_t numTasks() const { return dependencies_->numTasks(); }

  /// The stages of each worker.
  const std::vector<std::vector<WorkerStage>>& workers() const {
    return workers_;
  }

  /// Whether steps overlap, so that the period counts and not the makespan.
  bool isPeriodic() const { return isPeriodic_; }
  /// Whether each worker has one stage, and each stage one worker.
  bool isOnePipe() const { return isOnePipe_; }

  /// Returns the seconds per step with these costs by stage.
  double secondsOf(const std::vector<StageCost>& costs) const;
  /// Returns the bytes per device that each worker needs with these costs.
  std::vector<double> bytesOf(const std::vector<StageCost>& costs) const;

 private:
  explicit FamilyTable(schedule::Table table);
  void addUpdates();

  schedule::Table table_;
  bool isPeriodic_ = false, isOnePipe_ = false;
  std::unique_ptr<schedule::Dependencies> dependencies_;
  std::vector<std::vector<WorkerStage>> workers_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PIPELINE_FAMILYTABLE_H_
