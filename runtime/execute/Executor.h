// Execution of an entry on one rank.
//
// A plan says "kernel 3 on the buffers at 0, 64 and 4096". Before the first
// step, the executor prepares the collectives and transfers. To run the entry,
// it walks through a table of tasks, and decides which task runs next and on
// which buffers. The buffers of a task depend on the step and the micro-batch.
// The rank's device (device/Device.h) runs the kernels, and its Collectives
// object (communication/Collectives.h) runs the collectives and transfers.
//
// An entry whose steps overlap (plan::Entry::maxSkew > 0) is executed like a
// software-pipelined loop. Iteration i runs tasks of step i, which is its own
// step, and also tasks of later and earlier steps. Tasks of steps that are not
// to run (setSteps) are skipped. Iterations before the first step fill the
// pipeline, and iterations after the last step drain it:
//
//   executor.setSteps(0, 10);
//   for (int64_t i = executor.firstIteration();
//        i < executor.endIteration(); ++i) {
//     executor.setIteration(i);  ...  executor.run(isStopped); }
//
// If steps do not overlap, an iteration runs exactly one step.

#ifndef RUNTIME_EXECUTE_EXECUTOR_H_
#define RUNTIME_EXECUTE_EXECUTOR_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/Collectives.h"
#include "runtime/communication/Communicator.h"
#include "runtime/device/Access.h"
#include "runtime/device/Device.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/execute/MessageOrder.h"
#include "runtime/execute/TaskAccesses.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Plan.h"
#include "runtime/trace/Recorder.h"

namespace sbp::execute {

/// Returns the size in bytes of each rank's arena, in the order of ranks, when
/// it runs `entry` (an index into Plan::entries).
std::vector<int64_t> arenaBytes(const plan::Plan& plan, size_t entry);

/// Returns the name of a transfer task for people: "finish_receive of %h".
std::string nameOf(const plan::Entry& entry, const plan::TransferTask& task);

/// The number of runs of a kernel, collective or transfer on this rank, and
/// their total time. A bucket counts as one collective.
struct Timing {
  // Name of a kernel, of a collective with its axes, or of a transfer; or "wait
  // for messages".
  std::string name;
  bool isCollective = false;  // true for all but kernels
  int64_t count = 0;
  double seconds = 0;
};

/// A rank, as the executor sees it: the parts that carry out its tasks.
struct Rank {
  communication::Communicator& communicator;
  communication::Collectives& collectives;  // between arenas of devices
  device::Device& device;
};

/// Runs one entry on one rank. The plan and the parts of the rank must outlive
/// the executor. An executor belongs to one thread.
class Executor {
 public:
  /// Prepares `entry` (an index into Plan::entries). Fails if a collective or
  /// transfer cannot be prepared.
  static absl::StatusOr<Executor> prepare(const plan::Plan& plan, size_t entry,
                                          const Rank& rank);

  /// Return this rank's parts of the plan's parameters, and of the entry's
  /// inputs and outputs, in the order of the plan. If steps overlap,
  /// parameters() returns the versions that hold the values before the
  /// iteration's own step, and inputs() the memory for the inputs of step
  /// inputStep().
  std::vector<device::LocalTensor> parameters() const {
    return partsOf(parameterBoxes, iteration);
  }
  std::vector<device::LocalTensor> inputs() const {
    return partsOf(inputBoxes, inputStep());
  }
  std::vector<device::LocalTensor> outputs() const {
    return partsOf(outputBoxes, iteration);
  }

  /// Sets the steps to run to [first, last), and the iteration to `first`.
  /// Needed only where steps overlap.
  void setSteps(int64_t first, int64_t last);

  /// Changes the end of the steps to run to `last`, exclusive. May be called
  /// between iterations.
  void setLastStep(int64_t last) { lastStep = last; }

  /// Return the bounds of the iterations in which this rank runs tasks of the
  /// steps to run: [firstIteration(), endIteration()).
  int64_t firstIteration() const { return firstStep - maxStepOffset; }
  int64_t endIteration() const { return lastStep - minStepOffset; }

  /// Sets the iteration to run next to `next`, the number of its own step.
  void setIteration(int64_t next) { iteration = next; }
  /// Goes on to the next iteration, so that rotating buffers (plan::Rotation)
  /// move on. If steps do not overlap, call it after each step whose update has
  /// run, but not after a step whose update was left out.
  void advance() { ++iteration; }

  /// Returns the step whose inputs must be loaded before the iteration runs.
  int64_t inputStep() const { return iteration + inputStepOffset; }

  /// Whether `step` is one of the steps to run.
  bool isOfRun(int64_t step) const {
    return step >= firstStep && step < lastStep;
  }

  /// Runs one iteration of the entry. Every rank must call it. Fails if the
  /// world aborts or ranks run different collectives. If `isStopped` becomes
  /// true, also fails before the next task, with code kCancelled.
  absl::Status run(const std::atomic<bool>& isStopped);

  /// Runs the first part of run(). Afterwards all gradients are complete, and
  /// so are all outputs that do not depend on an update. No parameter has
  /// changed.
  absl::Status runUntilUpdate(const std::atomic<bool>& isStopped);
  /// Runs the second part of run(). Without it, the step has no effect on
  /// parameters.
  absl::Status runUpdate(const std::atomic<bool>& isStopped);

  /// Whether the entry computes gradients for an optimiser, on any rank.
  bool hasGradients() const { return numGradients > 0; }

  /// Returns this rank's part of the sum of squares of all gradients. Call it
  /// between the two parts of a run. An element that several ranks hold counts
  /// on only one of them, so that the sum over all ranks is the squared norm of
  /// all gradients. The result is finite if and only if all elements that count
  /// on this rank are finite. Fails if the device does.
  absl::StatusOr<double> squaresOfGradients() const;

  /// Visits the tasks of runUntilUpdate() in the order of execution, and calls
  /// `run(index)` for each instead of running it; `run` may call runTask().
  /// Visits a task in a loop once for each of its runs, and a bucket only once,
  /// by its first task. Returns the first error of `run`. Also stops when
  /// `isStopped` becomes true, as run() does.
  absl::Status forEachUntilUpdate(
      const std::atomic<bool>& isStopped,
      const std::function<absl::Status(size_t)>& run);

  /// Runs task `index`, and all tasks of its bucket. May be called only by the
  /// callback of forEachUntilUpdate().
  absl::Status runTask(size_t index);

  /// Returns the buffers of task `index` for the current step and micro-batch,
  /// as offsets in the arena. For a kernel these are its buffers in the order
  /// of the plan, for a collective `in` and `out` of each task of its bucket,
  /// and for a transfer its only buffer. The result is valid until the next
  /// call for this task.
  const std::vector<int64_t>& buffersOf(size_t index);

  /// Returns the memory in which the buffers lie.
  device::Memory& memory() const { return rank.device; }

  /// Makes timings and the recorder count the time until a task has been done,
  /// so that a GPU runs one task at a time. Otherwise they count the time until
  /// the call that starts the task on the device returns.
  void timeWholeTasks() { timesWholeTasks = true; }

  /// Records all later runs to `recorder`, which must outlive them. Whenever
  /// this object runs tasks, a step of the recorder must have begun
  /// (Recorder::beginStep). May be called once.
  void recordTo(trace::Recorder& recorder);

  /// Returns the timings of all runs so far, one for each name, longest total
  /// time first.
  std::vector<Timing> timings() const;

  /// Returns the total time, in seconds, that collectives and transfers with
  /// other ranks have taken in all runs so far, waits for these ranks included.
  /// A rank that computes longer than others waits less, so the minimum over
  /// all ranks is nearest to the time of communication itself.
  double communicationSeconds() const { return secondsWithOthers; }

 private:
  /// A buffer that lies in the slots of a loop (plan::Loop::Slots).
  struct Slotted {
    size_t buffer = 0;  // index into PreparedTask::buffers
    size_t slots = 0;   // index into Loop::slots
    int64_t first = 0;  // offset in the arena, in the first slot
  };

  /// A buffer that lies in a rotation (plan::Rotation).
  struct Rotated {
    size_t buffer = 0;   // index into PreparedTask::buffers
    int64_t offset = 0;  // in the arena, as in the plan
  };

  /// A task that is ready to run. The PreparedTask of the first task of a
  /// bucket runs the whole bucket; those of the bucket's other tasks are
  /// unused.
  struct PreparedTask {
    size_t numTasks = 1;  // of the bucket; 1 outside buckets
    int64_t kernel = 0;   // index into Plan::kernels, of a kernel task
    std::shared_ptr<const communication::PreparedCollective> collective;
    std::shared_ptr<const communication::PreparedTransfer> transfer;
    plan::TransferTask end;        // of a transfer
    int64_t transfersPerStep = 1;  // Transfer::times
    std::vector<int64_t> buffers;  // see buffersOf()
    std::vector<Slotted> slotted;
    std::vector<Rotated> rotated;
    TaskAccesses accesses;   // for a device with queues
    size_t timing = 0;       // index into `times`
    int64_t recordedAs = 0;  // number of its name in the recorder
    bool involvesOthers = false;
  };

  /// The state of a loop.
  struct RunningLoop {
    plan::Loop loop;
    std::vector<plan::Loop::Block> blocks;
    std::vector<plan::Loop::BlockRun> runs;
    std::vector<int64_t> occurrences;  // by run; see plan::occurrencesOf
    /// Indices into `runs`, by block and micro-batch.
    std::vector<std::vector<int64_t>> positions;
    /// Indices into Loop::slots of the slots that a block uses, by block.
    std::vector<std::vector<size_t>> slotsOf;
    /// Indices into `tasks` of the tasks that finish transfers, by block.
    std::vector<std::vector<size_t>> finishTasks;
    /// Numbers of their names in the recorder, by block.
    std::vector<int64_t> recordedAs;
    std::vector<plan::SlotsInUse> inUse;  // by Loop::slots
    // Set if messages decide the order of blocks:
    std::optional<MessageOrder> byMessages;
    std::shared_ptr<const communication::PreparedCollective> agreement;
    std::vector<float> canRun;  // by block; what the ranks agree on
  };

  /// The box of a tensor on this rank.
  struct Box {
    int64_t buffer = plan::kAbsent;
    int64_t bytes = 0;
  };

  explicit Executor(const Rank& rank) : rank(rank) {}

  /// Runs tasks [begin, end) and measures their time.
  absl::Status runTasks(size_t begin, size_t end,
                        const std::atomic<bool>& isStopped);

  /// Adds the buffers of `task`.
  static void addBuffers(const plan::Task& task, PreparedTask& prepared);
  absl::Status addLoop(const plan::Loop& loop);

  /// Declare to the device the next run of a task, or the next work that writes
  /// `bytes` bytes at `buffer` (device::Device::startRun).
  absl::Status startRun(const PreparedTask& task);
  absl::Status startWrite(int64_t buffer, int64_t bytes);

  /// Notes which tasks of a loop have buffers in its slots.
  void findSlotted(RunningLoop& running);

  /// Notes which buffers of a task lie in rotations.
  void findRotated(PreparedTask& task) const;

  /// Returns the rotation in which `buffer` lies; null if it lies in none.
  const plan::Rotation* rotationOf(int64_t buffer) const;

  /// Returns the offset in the arena that a task accesses in the current step
  /// when it names `buffer`, before the shift to the slot of its micro-batch
  /// (plan::Loop::Slots).
  int64_t offsetOf(int64_t buffer) const { return offsetOf(buffer, step); }
  /// Returns the same offset for step `step`.
  int64_t offsetOf(int64_t buffer, int64_t step) const;
  std::vector<device::LocalTensor> partsOf(const std::vector<Box>& boxes,
                                           int64_t step) const;

  /// Frees all slots of a loop.
  static void restartSlots(RunningLoop& running);

  /// Calls `run` for tasks [begin, end), including their loops.
  template <typename Run>
  absl::Status forEach(size_t begin, size_t end,
                       const std::atomic<bool>& isStopped, Run run);

  /// Calls `runAll(first, last)` for each section (plan::Section) of tasks
  /// [begin, end), which stand outside loops.
  template <typename RunAll>
  absl::Status runOutside(size_t begin, size_t end, RunAll runAll);

  /// Calls `runAll(first, last)` for each run of a block of a loop.
  template <typename RunAll>
  absl::Status runLoop(RunningLoop& running, RunAll runAll);

  /// Waits until at least one block can run on all ranks that run the loop, and
  /// returns the most urgent such block. Used for loops in which messages
  /// decide the order.
  absl::StatusOr<size_t> nextBlock(RunningLoop& running);

  /// Replaces each element of the loop's `canRun` by its minimum over the ranks
  /// that run the loop.
  absl::Status agree(RunningLoop& running);

  /// Returns the index in `times` of the timing called `name`, which is added
  /// if there is none.
  size_t timingOf(const std::string& name, bool isCollective);

  /// Returns the place in the model's text from which task `index` comes, as an
  /// index into plan::Places::origins; kUnknownOrigin for a bucket of several
  /// tasks.
  int64_t originOf(size_t index) const;

  Rank rank;
  std::vector<Box> parameterBoxes;
  std::vector<Box> inputBoxes;
  std::vector<Box> outputBoxes;
  // All 0 unless steps overlap. `maxSkew` is plan::Entry::maxSkew, a number of
  // steps; the others are step offsets (plan/Plan.h).
  int64_t maxSkew = 0, inputStepOffset = 0, minStepOffset = 0,
          maxStepOffset = 0;
  int64_t stepsAtOnce = 1;
  const plan::EntryProgram* program = nullptr;  // of this rank
  const plan::Places* places = nullptr;         // of the plan
  std::vector<plan::Rotation> rotations;
  int64_t firstStep = 0, lastStep = std::numeric_limits<int64_t>::max();
  std::vector<PreparedTask> tasks;
  std::vector<RunningLoop> loops;
  std::optional<size_t> messagesTiming;  // index into `times`
  // State of the current run:
  int64_t iteration = 0;
  int64_t step = 0;  // of the current task
  // Number of the current block's run among its runs in a step, by micro-batch
  // (plan::occurrencesOf).
  int64_t occurrence = 0;
  // Bytes from the first slot to the current one, by index into Loop::slots.
  std::vector<int64_t> slotShiftBytes;
  // Buffers of the current collective; a member, so that running allocates
  // nothing.
  std::vector<communication::CollectiveBuffers> collectiveBuffers;
  std::vector<device::Access> accesses;   // likewise, of the current task
  size_t firstUpdate = 0;                 // index into `tasks`
  size_t numGradients = 0;                // of the entry, on all ranks
  std::vector<plan::Gradient> gradients;  // those that this rank counts
  bool timesWholeTasks = false;
  std::vector<Timing> times;
  double secondsWithOthers = 0;
  trace::Recorder* recorder = nullptr;
  // Numbers of names in the recorder:
  int64_t messagesRecordedAs = 0, updateRecordedAs = 0;
};

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_EXECUTOR_H_
