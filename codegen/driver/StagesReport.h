// What `sbpc explain` says of a program in stages: when each group does what,
// what crosses between them, and what their memory is for.

#ifndef CODEGEN_DRIVER_STAGESREPORT_H_
#define CODEGEN_DRIVER_STAGESREPORT_H_

#include <string>
#include <vector>

#include "codegen/driver/ArenaUse.h"
#include "codegen/driver/LaunchCounts.h"
#include "passes/explain/PipelineExplanation.h"

namespace sbp {

struct StagesReport {
  std::string model;
  double memoryBytes = 0;  // of a device; infinite if the machine does not say
  PipelineExplanation pipeline;
  std::vector<ArenaUse> memory;  // of ranks that run the same; may be empty
  LaunchCounts launches;

  /// The run of the entry that takes longest.
  const ExplainedRun& mainRun() const;

  /// The numbers of the groups that `rank` is in.
  std::vector<size_t> groupsOf(int64_t rank) const;
};

/// As text: lists in full, or what fits on a page.
std::string textOf(const StagesReport& report, bool isFull);

/// One object with everything: docs/explain.md. Seconds and bytes.
std::string jsonOf(const StagesReport& report);

/// The main run as it is predicted, in the format of runtime/trace.
std::string traceOf(const StagesReport& report);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_STAGESREPORT_H_
