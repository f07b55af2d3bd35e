// A recorder of what a rank does and when. It records each step, each task of
// the step's schedule, and each kernel, collective, and start or finish of a
// transfer. A task is here a run of a block of a loop (plan::Loop::Block), not
// a plan::Task:
//
//   step 12
//     1F 3          the forward of stage 1 for micro-batch 3: a task
//       nn.einsum ...
//
// A task lasts from its first to its last kernel or collective, without the
// time in which it waits for its operands. But a task may do some work before
// it waits, such as cutting out a micro-batch. If it then waits for a transfer
// for longer than this work took, the task counts as beginning with the next
// kernel or collective. Communication with other ranks has a row of its own.
//
// Only the events of the last steps are kept, so memory is bounded.

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

  /// The kind of a slice (ChromeTrace.h), which determines its row.
  enum class Kind { kStep, kTask, kKernel, kCollective, kTransfer };

  /// Creates a recorder that keeps the last `mostSteps` steps, at least one.
  explicit Recorder(int64_t mostSteps);

  /// Registers a name for slices of kind `kind`. `place` is the place in the
  /// model's text from which these slices come; empty if unknown. Returns the
  /// number of the name, with which slices are added.
  int64_t addName(Kind kind, std::string name, std::string place = "");

  /// Begins step `number`. The previous step must have ended.
  void beginStep(int64_t number);
  /// Ends the step.
  void endStep();

  /// Begins a task of the current step; `name` is the number of a name of kind
  /// kTask. `microBatch` is -1 for a task without a micro-batch. Everything
  /// added until endTask() belongs to the task.
  void beginTask(int64_t name, int64_t microBatch);
  /// Ends the task, and drops it if it has run no kernel or collective.
  void endTask();

  /// Adds a run of a kernel or collective, or a start or finish of a transfer.
  /// `name` is the number that addName() returned. A step must have begun.
  void add(int64_t name, Clock::time_point start, Clock::time_point end);

  /// Returns the time at which the first kept step began, since the epoch of
  /// the host's system clock; the largest time if no step has begun.
  std::chrono::nanoseconds start() const;

  /// Returns the events (ChromeTrace.h) of all kept steps. They are on the rows
  /// of process `rank`, which gets the name `title`. Their times count from the
  /// time `zero` of the host's system clock.
  std::string eventsOf(int64_t rank, std::string_view title,
                       std::chrono::nanoseconds zero) const;

 private:
  /// A registered name (addName).
  struct Name {
    Kind kind = Kind::kStep;
    std::string text;
    std::string place;
  };

  /// A recorded event of a step.
  struct Slice {
    int64_t name = 0;         // index into names_
    int64_t microBatch = -1;  // -1: none
    Clock::time_point start, end;
  };

  /// Extends `task` to the end of a kernel or collective. For a transfer,
  /// decides whether the task begins only after it.
  void addToTask(Kind kind, Clock::time_point start, Clock::time_point end,
                 Slice& task);

  /// A step and its events. Times are those of the steady clock.
  struct RecordedStep {
    int64_t number = 0;
    Clock::time_point start, end;
    std::vector<Slice> slices;
  };

  size_t mostSteps_;
  std::chrono::nanoseconds untilClock_;  // system clock - steady clock
  std::vector<Name> names_;
  std::deque<RecordedStep> steps_;
  int64_t task_ = -1;  // index into the step's slices; -1: none
  // Whether the current task begins with its next kernel or collective.
  bool beginsAgain_ = false;
};

}  // namespace sbp::trace

#endif  // RUNTIME_TRACE_RECORDER_H_
