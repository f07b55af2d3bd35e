// A recorder of what a rank does and when: each step, each task of the pipeline
// in it, and each kernel, collective and end of a transfer.
//
//   step 12
//     1F 3          the forward of stage 1 for micro-batch 3
//       nn.einsum ...
//
// A task lasts from its first to its last kernel or collective. Waiting for its
// operands does not belong to it: if a transfer takes longer than everything
// that the task did before it, such as cutting out a micro-batch, the task is
// taken to begin after the transfer. Communication with other ranks has a row
// of its own.
//
// Only the last steps are kept, at most the given number, so memory is bounded
// by what these steps do.

#ifndef RUNTIME_TRACE_RECORDER_H_
#define RUNTIME_TRACE_RECORDER_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace sbp::trace {

/// The events of the last steps of one rank.
class Recorder {
 public:
  using Clock = std::chrono::steady_clock;

  /// The kind of a slice, which determines its row.
  enum class Kind { kStep, kTask, kKernel, kCollective, kTransfer };

  /// Creates a recorder that keeps the last `mostSteps` steps.
  explicit Recorder(int64_t mostSteps);

  /// Registers a name of the given kind and returns its number.
  int64_t addName(Kind kind, std::string name);

  /// Begins step `number`, counted from 1, after the previous step has ended.
  void beginStep(int64_t number);
  void endStep();

  /// Begins a task; `name` is the number of a name of kind kTask. `microBatch`
  /// is -1 if it has none. Everything added until endTask() belongs to it.
  void beginTask(int64_t name, int64_t microBatch);
  void endTask();

  /// Adds a run of a kernel, collective or transfer; `name` is the number that
  /// addName() returned. A step must have begun.
  void add(int64_t name, Clock::time_point start, Clock::time_point end);

  /// Returns the time at which the first kept step began, since the epoch of
  /// the host's system clock; the maximum if there is none.
  std::chrono::nanoseconds start() const;

  /// Returns everything as events (ChromeTrace.h) on the rows of process
  /// `rank`, which gets the name `title`. Time 0 is `zero` on the host's clock.
  std::string eventsOf(int64_t rank, std::string_view title,
                       std::chrono::nanoseconds zero) const;

 private:
  struct Name {
    Kind kind = Kind::kStep;
    std::string text;
  };

  struct Slice {
    int64_t name = 0;
    int64_t microBatch = -1;
    Clock::time_point start, end;
  };

  /// Extends `task` by a computation, or moves its beginning after a wait.
  void addToTask(Kind kind, Clock::time_point start, Clock::time_point end,
                 Slice& task);

  struct RecordedStep {
    int64_t number = 0;
    Clock::time_point start, end;
    std::vector<Slice> slices;
  };

  size_t mostSteps_;
  std::chrono::nanoseconds untilClock_;  // host's clock - steady clock
  std::vector<Name> names_;
  std::deque<RecordedStep> steps_;
  int64_t task_ = -1;         // index into the step's slices; -1: none
  bool beginsAgain_ = false;  // the task begins with its next computation
};

}  // namespace sbp::trace

#endif  // RUNTIME_TRACE_RECORDER_H_
