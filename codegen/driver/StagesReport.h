// The content of `sbpc explain` for a program in stages: the times at which
// each group of ranks runs its tasks, the transfers between groups, and the use
// of memory.

#ifndef CODEGEN_DRIVER_STAGESREPORT_H_
#define CODEGEN_DRIVER_STAGESREPORT_H_

#include <string>
#include <vector>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/LaunchCounts.h"
#include "passes/explain/PipelineExplanation.h"

namespace sbp {

/// A program in stages, with its predicted runs.
struct StagesReport {
  std::string model;
  double memoryBytes = 0;  // memory of a device; infinite if not known
  PipelineExplanation pipeline;
  // Arena of each entry of each rank.program; empty if the memory cannot be
  // laid out.
  std::vector<ArenaUse> memory;
  LaunchCounts launches;

  /// Returns the run of the entry that takes longest.
  const ExplainedRun& mainRun() const;

  /// Returns the indices in `pipeline.groups` of the groups that have `rank`.
  std::vector<size_t> groupsOf(int64_t rank) const;
};

/// Returns the report as text, in full or on one page.
std::string textOf(const StagesReport& report, bool isFull);

/// Returns one object with the whole report (docs/explain.md), in seconds and
/// bytes.
std::string jsonOf(const StagesReport& report);

/// Returns the predicted tasks of every rank in the main run, as a file in
/// Chrome's trace format (runtime/trace).
std::string traceOf(const StagesReport& report);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_STAGESREPORT_H_
