// The trace file with the events of all ranks (runtime/trace).
//
// Each rank records its steps; at the end rank 0 joins the events of all ranks.
// The ranks of a host share a clock. Clocks of different hosts are not
// synchronised.

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

/// Largest number of events per rank in the trace. It determines how many of
/// the last steps are kept: the same number on all ranks, and at least one.
inline constexpr int64_t kMostTraceEvents = 100'000;

/// Records a run, and writes the trace at its end.
class TraceFile {
 public:
  /// Records what `executor` does when entry `entry` of `plan` runs; nothing if
  /// `path` is empty. The plan must outlive this object.
  TraceFile(std::string path, const plan::Plan& plan, size_t entry,
            execute::Executor& executor);

  /// Fails if the file cannot be written now.
  absl::Status checkWritable() const;

  /// Begins and ends step `number`, counted from 1.
  void beginStep(int64_t number);
  void endStep();

  /// Writes the file, on rank 0. Every rank must call it.
  absl::Status write(communication::Communicator& communicator) const;

 private:
  std::string path;
  const plan::Plan* plan;
  std::unique_ptr<trace::Recorder> recorder;  // null: nothing is recorded
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_TRACEFILE_H_
