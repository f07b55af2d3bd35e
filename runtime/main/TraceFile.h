// The file with what all ranks did, and when (runtime/trace), if it is wanted.
//
// Each rank records its steps; at the end rank 0 joins what they have. Ranks of
// one host have one clock. Clocks of several hosts are taken as they are.

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

/// The last steps are kept of which no rank has more events, and at least one.
inline constexpr int64_t kMostTraceEvents = 100'000;

class TraceFile {
 public:
  /// Records what `executor` does when entry `entry` of `plan`, which must
  /// outlive this, runs; nothing if `path` is empty.
  TraceFile(std::string path, const plan::Plan& plan, size_t entry,
            execute::Executor& executor);

  /// OK if the file can be written now.
  absl::Status checkWritable() const;

  /// Around step `number`, counted from 1.
  void beginStep(int64_t number);
  void endStep();

  /// Writes the file, on rank 0; every rank must call it.
  absl::Status write(communication::Communicator& communicator) const;

 private:
  std::string path;
  const plan::Plan* plan;
  std::unique_ptr<trace::Recorder> recorder;  // null: no file is wanted
};

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_TRACEFILE_H_
