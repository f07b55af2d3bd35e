// The trace file with the events of all ranks (runtime/trace).
//
// Each rank records its steps; at the end rank 0 joins the events of all ranks.
// Time 0 is the beginning of the first recorded step on the rank that began it
// first. Times are those of each host's clock. The clocks of different hosts
// may differ; the trace does not correct for that.

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

/// Target for the number of events per rank. Each rank keeps the events of the
/// last n steps, with the same n on all ranks. n is the largest number of steps
/// with which the rank that has the most events per step stays within the
/// target, but at least 1.
inline constexpr int64_t kTargetNumTraceEvents = 100'000;

/// Records the last steps of a run, and writes the trace at its end.
class TraceFile {
 public:
  /// Makes `executor`, which runs entry `entry` (an index into plan.entries),
  /// record to this object. If `path` is empty, the constructor and all other
  /// functions do nothing. `plan` must outlive this object; `executor` must not
  /// run after this object is destroyed.
  TraceFile(std::string path, const plan::Plan& plan, size_t entry,
            execute::Executor& executor);

  /// Fails if the file cannot be written.
  absl::Status checkWritable() const;

  /// Begins step `number`, counted from 1; the previous step must have ended.
  /// If steps overlap, `number` is that of an iteration (execute/Executor.h):
  /// the first ones come before the first step of the run, and may be below 1.
  void beginStep(int64_t number);
  /// Ends the step.
  void endStep();

  /// Sends the events of all ranks to rank 0, which writes the file. Every rank
  /// must call it. Fails if the world aborts, and on rank 0 if the file cannot
  /// be written.
  absl::Status write(communication::Communicator& communicator) const;

 private:
  std::string path;
  const plan::Plan* plan;
  std::unique_ptr<trace::Recorder> recorder;  // null: nothing is recorded
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_TRACEFILE_H_
