// Execution of an entry on one rank.
//
// A plan says "kernel 3 on the buffers at 0, 64 and 4096". Before the first
// step, the executor prepares the collectives and transfers. Running the entry
// is then a walk through a table of tasks: the executor says which task is
// next, and on which buffers, as these depend on the step and the micro-batch.
// The rank's device (device/Device.h) runs the kernels, and its Collectives
// (communication/Collectives.h) run the rest.
//
// An entry whose steps overlap (plan::Entry::maxSkew > 0) is executed like a
// software-pipelined loop. An iteration has the number of its own step, and
// runs tasks of this step, of later and of earlier steps. Tasks of steps
// outside the run are skipped. So there are iterations before the first step,
// which fill the pipeline, and after the last step, which drain it:
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
  // A kernel, a collective and its axes, a transfer, or "wait for messages".
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
/// it. It belongs to one thread.
class Executor {
 public:
  /// Prepares `entry` (an index into Plan::entries). Fails if a collective or
  /// transfer cannot be prepared.
  static absl::StatusOr<Executor> prepare(const plan::Plan& plan, size_t entry,
                                          const Rank& rank);

  /// This rank's parts of tensors, in the order of the plan: the plan's
  /// parameters, the entry's inputs and its outputs. Where steps overlap,
  /// parameters() are the values at the beginning of the iteration's step, and
  /// inputs() those of inputStep().
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

  /// Moves the end of the steps to run, while they run.
  void setLastStep(int64_t last) { lastStep = last; }

  /// The iterations in which this rank runs tasks of these steps:
  /// [firstIteration(), endIteration()).
  int64_t firstIteration() const { return firstStep - maxStepOffset; }
  int64_t endIteration() const { return lastStep - minStepOffset; }

  /// Sets the iteration to run next: the number of its own step.
  void setIteration(int64_t next) { iteration = next; }
  /// Goes on to the next iteration. If steps do not overlap, the caller does so
  /// after each step that was taken, so that rotating buffers (plan::Rotation)
  /// move on; a step that was skipped is not counted.
  void advance() { ++iteration; }

  /// The step whose inputs must be loaded before the iteration.
  int64_t inputStep() const { return iteration + inputStepOffset; }

  /// Whether `step` is one of the steps to run.
  bool isOfRun(int64_t step) const {
    return step >= firstStep && step < lastStep;
  }

  /// Runs one iteration of the entry. Every rank must call it. Fails if the
  /// world aborts or ranks run different collectives. Also fails, with a
  /// cancelled status, before the next task after `isStopped` has become true.
  absl::Status run(const std::atomic<bool>& isStopped);

  /// Runs the first part of run(). Afterwards gradients are computed, and all
  /// outputs that do not depend on an update; parameters are unchanged.
  absl::Status runUntilUpdate(const std::atomic<bool>& isStopped);
  /// Runs the second part of run(). Without it, the step has no effect on
  /// parameters.
  absl::Status runUpdate(const std::atomic<bool>& isStopped);

  /// Whether the entry computes gradients for an optimiser, on any rank.
  bool hasGradients() const { return numGradients > 0; }

  /// Returns this rank's part of the sum of squares of all gradients, to be
  /// called between the two parts of a run. An element that several ranks hold
  /// counts on only one of them, so that the sum over all ranks is the squared
  /// norm of all gradients. The result is finite if and only if all elements
  /// that count on this rank are. Fails if the device does.
  absl::StatusOr<double> squaresOfGradients() const;

  /// Runs the first part of run() with `run` in place of runTask(): calls it
  /// with the index of each task, in the order of execution, and with tasks of
  /// a loop as often as they run. For a bucket it is called with the first task
  /// only, which stands for all. Returns the first error of `run`; stops as
  /// run() does.
  absl::Status forEachUntilUpdate(
      const std::atomic<bool>& isStopped,
      const std::function<absl::Status(size_t)>& run);

  /// Runs task `index`, and all tasks of its bucket. To be called from the
  /// callback of forEachUntilUpdate.
  absl::Status runTask(size_t index);

  /// Returns the buffers of task `index` for the current step and micro-batch,
  /// as offsets in the arena; valid until the next call for this task. For a
  /// kernel these are its buffers in the order of the plan; for a collective
  /// `in` and `out` of each task of its bucket; for a transfer its only buffer.
  const std::vector<int64_t>& buffersOf(size_t index);

  /// The memory in which the buffers lie.
  device::Memory& memory() const { return rank.device; }

  /// Makes timings and the recorder count the time until a task has been done;
  /// otherwise they count the time until the device has been told of it. A GPU
  /// then runs one task at a time.
  void timeWholeTasks() { timesWholeTasks = true; }

  /// Records all later runs to `recorder`, which must outlive them. A step of
  /// the recorder must have begun whenever something runs. May be called once.
  void recordTo(trace::Recorder& recorder);

  /// Returns the timings of all runs so far, one for each name, longest total
  /// time first.
  std::vector<Timing> timings() const;

  /// Returns the seconds of all runs so far of collectives and transfers with
  /// other ranks, including waits for these ranks. A rank that computes longer
  /// than others waits less, so the minimum over all ranks is nearest to the
  /// time of communication itself.
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

  /// A task that is ready to run. The first task of a bucket runs the whole
  /// bucket; the entries of the others are unused.
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
    int64_t recordedAs = 0;  // name of the recorder
    bool involvesOthers = false;
  };

  /// The state of a loop.
  struct RunningLoop {
    plan::Loop loop;
    std::vector<plan::Loop::Block> blocks;
    std::vector<plan::Loop::BlockRun> runs;
    std::vector<int64_t> occurrences;  // by run
    /// Indices into `runs`, by block and micro-batch.
    std::vector<std::vector<int64_t>> positions;
    /// Indices into Loop::slots of the slots that a block uses, by block.
    std::vector<std::vector<size_t>> slotsOf;
    /// Indices into `tasks` of the tasks that finish transfers, by block.
    std::vector<std::vector<size_t>> finishTasks;
    /// Names for the recorder, by block.
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

  /// Tells the device of the next run of a task, or of work that writes
  /// `bytes` bytes at `buffer`.
  absl::Status startRun(const PreparedTask& task);
  absl::Status startWrite(int64_t buffer, int64_t bytes);

  /// Notes which tasks of a loop have buffers in its slots.
  void findSlotted(RunningLoop& running);

  /// Notes which buffers of a task lie in rotations.
  void findRotated(PreparedTask& task) const;

  /// Returns the rotation in which `buffer` lies; null if it lies in none.
  const plan::Rotation* rotationOf(int64_t buffer) const;

  /// Returns where `buffer` lies in the current step, with slots of loops left
  /// out of account.
  int64_t offsetOf(int64_t buffer) const { return offsetOf(buffer, step); }
  /// Returns where `buffer` lies in `step`.
  int64_t offsetOf(int64_t buffer, int64_t step) const;
  std::vector<device::LocalTensor> partsOf(const std::vector<Box>& boxes,
                                           int64_t step) const;

  /// Frees all slots of a loop.
  static void restartSlots(RunningLoop& running);

  /// Calls `run` for tasks [begin, end), including their loops.
  template <typename Run>
  absl::Status forEach(size_t begin, size_t end,
                       const std::atomic<bool>& isStopped, Run run);

  /// Calls `runAll(first, last)` for sections of tasks outside loops.
  template <typename RunAll>
  absl::Status runOutside(size_t begin, size_t end, RunAll runAll);

  /// Calls `runAll(first, last)` for each run of a block of a loop.
  template <typename RunAll>
  absl::Status runLoop(RunningLoop& running, RunAll runAll);

  /// Waits until a block can run on all ranks that run it, and returns the most
  /// urgent one. For loops in which messages decide.
  absl::StatusOr<size_t> nextBlock(RunningLoop& running);

  /// Replaces `canRun` of a loop by what holds on all ranks that run it.
  absl::Status agree(RunningLoop& running);

  /// Returns the index in `times` of the timing called `name`, which is added
  /// if there is none.
  size_t timingOf(const std::string& name, bool isCollective);

  /// Returns the origin of task `index` in the model's text, an index into
  /// plan::Places::origins; kUnknownOrigin for a bucket of several tasks.
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
  // Of the current block among its runs in a step (plan::occurrencesOf).
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
  // Names of the recorder:
  int64_t messagesRecordedAs = 0, updateRecordedAs = 0;
};

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_EXECUTOR_H_
