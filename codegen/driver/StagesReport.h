// The content of `sbpc explain` for a program in stages: the times at which
// each group of ranks runs its tasks, the transfers between groups, and the use
// of memory.

#ifndef CODEGEN_DRIVER_STAGESREPORT_H_
#define CODEGEN_DRIVER_STAGESREPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/LaunchCounts.h"
#include "codegen/driver/PipelineChoices.h"
#include "passes/explain/PipelineExplanation.h"
#include "passes/explain/SignaturePrices.h"

namespace sbp {

/// A program in stages, with the predicted run of each entry.
struct StagesReport {
  std::string model;       // name of the module
  double memoryBytes = 0;  // memory of a device; infinite if unknown
  PipelineExplanation pipeline;
  // Arena of each entry of each rank.program; empty if the memory cannot be
  // laid out.
  std::vector<ArenaUse> memory;
  /// Signatures of the ops and their prices; empty if not requested.
  std::vector<OpSignatures> signatures;
  LaunchCounts launches;  // kernel launches of each entry, on GPUs
  /// The choice of --plan; nullopt without it.
  std::optional<PipelineChoices> choices;

  /// Returns the run of the entry whose single step takes longest.
  const ExplainedRun& mainRun() const;

  /// Returns the groups that have `rank`, as indices into `pipeline.groups`.
  std::vector<size_t> groupsOf(int64_t rank) const;
};

/// Returns the report as text: in full if `isFull`, else on about one page.
std::string textOf(const StagesReport& report, bool isFull);

/// Returns one object with the whole report (docs/explain.md), in seconds and
/// bytes.
std::string jsonOf(const StagesReport& report);

/// Returns when each rank runs each task in the main run, as predicted: the
/// text of a file in Chrome's trace format (runtime/trace).
std::string traceOf(const StagesReport& report);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_STAGESREPORT_H_
