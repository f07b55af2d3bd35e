// What a rank did, and when: each step, each task of the pipeline in it, and
// each kernel, collective and end of a transfer.
//
//   step 12
//     1F 3          the forward of stage 1 for micro-batch 3
//       nn.einsum ...
//
// A task lasts from the first thing that it computes to the end of the last. To
// wait for what it takes belongs to no task: where a wait in it is longer than
// all that came before, such as the cutting of a micro-batch, the task begins
// behind. What involves other ranks has a row of its own.
//
// The last steps are kept, as many as were asked for; so memory is bounded by
// what one step does.

#ifndef RUNTIME_TRACE_RECORDER_H_
#define RUNTIME_TRACE_RECORDER_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace sbp::trace {

class Recorder {
 public:
  using Clock = std::chrono::steady_clock;

  /// What a slice is of, and thus on which row it stands.
  enum class Kind { kStep, kTask, kKernel, kCollective, kTransfer };

  explicit Recorder(int64_t mostSteps);

  /// A number for what is called `name`, which nothing else has.
  int64_t addName(Kind kind, std::string name);

  /// Step `number`, as people count them, begins; the one before has ended.
  void beginStep(int64_t number);
  void endStep();

  /// What is added until it ends is of task `name`, for `microBatch`; of a
  /// kTask.
  void beginTask(int64_t name, int64_t microBatch);
  void endTask();

  /// Something that is no step and no task. Within a step.
  void add(int64_t name, Clock::time_point start, Clock::time_point end);

  /// When the first step that is kept began, by the clock of the host; the
  /// largest number if there is none.
  std::chrono::nanoseconds start() const;

  /// All of it as events of ChromeTrace.h, on the rows of process `rank`, which
  /// is called `title`. Time 0 is when the host's clock said `zero`.
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

  void addToTask(Kind kind, Clock::time_point start, Clock::time_point end,
                 Slice& task);

  struct Step {
    int64_t number = 0;
    Clock::time_point start, end;
    std::vector<Slice> slices;
  };

  size_t mostSteps_;
  std::chrono::nanoseconds untilClock_;  // what the host's clock says more
  std::vector<Name> names_;
  std::deque<Step> steps_;
  int64_t task_ = -1;         // an index into the step's slices; -1: none
  bool beginsAgain_ = false;  // with the next that it computes
};

}  // namespace sbp::trace

#endif  // RUNTIME_TRACE_RECORDER_H_
