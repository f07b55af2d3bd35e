// The trace file with the events of all ranks (runtime/trace).
//
// Each rank records its steps; at the end rank 0 joins the events of all ranks.
// Time 0 is the earliest start of a rank, by the clock of its host. The ranks
// of a host share a clock. Clocks of different hosts are not synchronised, so
// times of ranks on different hosts are not comparable.

#ifndef RUNTIME_MAIN_TRACEFILE_H_
#define RUNTIME_MAIN_TRACEFILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "runtime/communication/Communicator.h"
#include "runtime/execute/Executor.h"
#include "runtime/plan/Plan.h"
#include "runtime/trace/Recorder.h"

namespace sbp::program {

/// Target for the number of events per rank. The trace keeps as many of the
/// last steps as fit on the rank with the most events per step, but at least
/// one; the same number on all ranks.
inline constexpr int64_t kTargetNumTraceEvents = 100'000;

/// Records the last steps of a run, and writes the trace at its end.
class TraceFile {
 public:
  /// Makes `executor` record its runs of entry `entry`, an index into
  /// plan.entries, here. If `path` is empty, does nothing, here and in all
  /// other functions. `plan` must outlive this object; `executor` must not run
  /// after this object is destroyed.
  TraceFile(std::string path, const plan::Plan& plan, size_t entry,
            execute::Executor& executor);

  /// Fails if the file cannot be written now.
  absl::Status checkWritable() const;

  /// Begins step `number`, counted from 1.
  void beginStep(int64_t number);
  /// Ends the step that has begun last.
  void endStep();

  /// Sends the events of all ranks to rank 0, which writes the file.
  /// Collective: every rank must call it.
  absl::Status write(communication::Communicator& communicator) const;

 private:
  std::string path;
  const plan::Plan* plan;
  std::unique_ptr<trace::Recorder> recorder;  // null: nothing is recorded
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_TRACEFILE_H_
