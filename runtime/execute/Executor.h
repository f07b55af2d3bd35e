// A rank's part of a program, made ready and run.
//
// A plan says "kernel 3 on the buffers at 0, 64 and 4096"; an executor has the
// kernel's address and three pointers, and the collectives worked out, before
// the first step. Running an entry is then a walk through a table.
//
// Where steps overlap (plan::Entry::maxSkew), so does running them. The walk
// for a step is a turn: in it stand tasks of later steps, and of earlier ones.
// Of steps that a rank is not to run it leaves them out, so that there are
// turns before the first step, in which the pipeline fills, and behind the last
// one:
//
//   executor.setSteps(0, 10);
//   for (turn = executor.firstTurn(); turn < executor.lastTurn(); ++turn) {
//     executor.setTurn(turn);  ...  executor.run(isStopped); }

#ifndef RUNTIME_EXECUTE_EXECUTOR_H_
#define RUNTIME_EXECUTE_EXECUTOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/Abi.h"
#include "runtime/communication/CollectiveBuffers.h"
#include "runtime/communication/Communicator.h"
#include "runtime/execute/MessageOrder.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Plan.h"
#include "runtime/trace/Recorder.h"

namespace sbp::execute {

/// The program that `rank` runs.
const plan::Program& programOf(const plan::Plan& plan, int64_t rank);

/// Bytes of each rank's arena when `entry` (an index into Plan::entries) runs.
std::vector<int64_t> arenaBytes(const plan::Plan& plan, size_t entry);

/// "finish_receive of %h"
std::string nameOf(const plan::Entry& entry, const plan::TransferTask& task);

/// How often something ran, and how long it took in all.
struct Timing {
  std::string name;  // of a kernel, or of a collective and its axes
  bool isCollective = false;
  int64_t count = 0;
  double seconds = 0;
};

/// One entry on one rank. The plan and the communicator must outlive it.
class Executor {
 public:
  /// Fails if the communicator cannot prepare a collective.
  static absl::StatusOr<Executor> prepare(
      const plan::Plan& plan, size_t entry, const SbpKernel* kernels,
      communication::Communicator& communicator);

  /// This rank's boxes in its arena: of the plan's parameters, of the entry's
  /// inputs and outputs, in the order of the plan. Null for what it lacks.
  /// Where steps overlap, parameters are as at the beginning of the turn's
  /// step, and inputs those of inputStep().
  std::vector<std::byte*> parameters() const {
    return placesOf(parameterBuffers, turn);
  }
  std::vector<std::byte*> inputs() const {
    return placesOf(inputBuffers, inputStep());
  }
  std::vector<std::byte*> outputs() const {
    return placesOf(outputBuffers, turn);
  }

  /// Says where steps overlap that [first, last) are run; or, while they are,
  /// that they end with `last`.
  void setSteps(int64_t first, int64_t last);
  void setLastStep(int64_t last) { lastStep = last; }

  /// The turns of these steps, from the first to exclusively the last.
  int64_t firstTurn() const { return firstStep - mostAhead; }
  int64_t lastTurn() const { return lastStep + mostBehind; }

  /// Says which turn is next: that of its step, if it is one of those. Where
  /// steps do not overlap, a step that was taken is followed by the next turn,
  /// too: what parameters were before goes round with them.
  void setTurn(int64_t next) { turn = next; }
  void goOn() { ++turn; }

  /// The step that wants its inputs when the turn begins.
  int64_t inputStep() const { return turn + inputsAhead; }
  bool isOfRun(int64_t step) const {
    return step >= firstStep && step < lastStep;
  }

  /// Runs the entry once; every rank must. Fails if the world aborts, and with
  /// a cancelled status soon after `isStopped` has become true.
  absl::Status run(const std::atomic<bool>& isStopped);

  /// run() in two parts. After the first, outputs and gradients are there, and
  /// parameters are as they were: without the second, the step has not been.
  absl::Status runUntilUpdate(const std::atomic<bool>& isStopped);
  absl::Status runUpdate(const std::atomic<bool>& isStopped);

  /// Whether an optimiser's gradients are among what the first part makes, on
  /// this rank or another one.
  bool hasGradients() const { return numGradients > 0; }

  /// The sum of the squares of all elements of the gradients, each of which
  /// counts on one rank only: the sum over ranks is the square of the norm of
  /// all gradients. Between the two parts of a run. Finite if and only if they
  /// are.
  double squaresOfGradients() const;

  /// Calls `run` with the tasks of the first part of a run, in the order in
  /// which they run, and those of a loop as often as they do; of a bucket, with
  /// the first, which stands for all. Ends at its first error, and as run()
  /// does.
  absl::Status forEachUntilUpdate(
      const std::atomic<bool>& isStopped,
      const std::function<absl::Status(size_t)>& run);

  /// Runs task `index`, the one with which forEachUntilUpdate calls `run`, and
  /// with it its bucket.
  absl::Status runTask(size_t index);

  /// Where the buffers of that task lie, for the time of the loop that it runs
  /// for. A kernel has those of its task in the plan, in their order; a
  /// collective `in`, then `out`, and so for each task of its bucket; a
  /// transfer its only one.
  const std::vector<void*>& buffersOf(size_t index);

  /// From now on `recorder`, which must outlive the runs, gets all that a run
  /// does; it must be within a step when there is one.
  void recordTo(trace::Recorder& recorder);

  /// Time of all runs, by name, longest first.
  std::vector<Timing> timings() const;

  /// Seconds of all runs in collectives that involve other ranks, waiting for
  /// them included. A rank that computes longer than the others waits less, so
  /// the least of all ranks is what communication takes.
  double communicationSeconds() const { return secondsWithOthers; }

 private:
  /// A buffer that lies in the slots of a loop.
  struct Slotted {
    size_t buffer = 0;           // an index into Step::buffers
    size_t slots = 0;            // an index into the loop's
    std::byte* first = nullptr;  // in the first slot
  };

  /// A buffer that goes round with the steps.
  struct Rotated {
    size_t buffer = 0;  // an index into Step::buffers
    int64_t name = 0;   // as the plan names it, an offset in the arena
  };

  /// What a task does. That of the first task of a bucket does all of it, and
  /// those of the others are nothing.
  struct Step {
    size_t numTasks = 1;         // of which it is the first
    SbpKernel kernel = nullptr;  // or one of these:
    std::shared_ptr<const communication::PreparedCollective> collective;
    std::shared_ptr<const communication::PreparedTransfer> transfer;
    plan::TransferTask end;      // of the transfer, which goes
    int64_t times = 1;           // so often in a step
    std::vector<void*> buffers;  // buffersOf()
    std::vector<Slotted> slotted;
    std::vector<Rotated> rotated;
    size_t timing = 0;  // index into `times`
    bool involvesOthers = false;
  };

  /// A loop as it runs.
  struct RunningLoop {
    plan::Loop loop;
    std::vector<plan::Loop::Block> blocks;
    std::vector<plan::Loop::BlockRun> runs;
    std::vector<int64_t> occurrences;          // by run
    std::vector<std::vector<int64_t>> places;  // by block and time, in runs
    std::vector<std::vector<size_t>> slotsOf;  // by block, those that it uses
    std::vector<std::vector<size_t>> ends;     // by block, steps that finish
    std::vector<int64_t> recordedAs;           // by block, with a recorder
    std::vector<plan::SlotsInUse> inUse;       // by slots
    // Where messages decide:
    std::optional<MessageOrder> byMessages;
    std::shared_ptr<const communication::PreparedCollective> agreement;
  };

  /// A gradient that this rank counts.
  struct Gradient {
    plan::ElementType elementType = plan::ElementType::kF32;
    int64_t buffer = 0;
    int64_t numElements = 0;
  };

  explicit Executor(communication::Communicator& communicator)
      : communicator(&communicator) {}

  absl::Status runSteps(size_t begin, size_t end,
                        const std::atomic<bool>& isStopped);

  void addBuffers(const plan::Task& task, Step& step) const;
  absl::Status addLoop(const plan::Loop& loop);
  void findSlotted(RunningLoop& running);
  void findRotated(Step& step) const;
  /// The rotation in which `buffer` lies; null if it is none.
  const plan::Rotation* rotationOf(int64_t buffer) const;
  /// Where `buffer` lies for the task that runs, slots aside; for step `step`.
  std::byte* placeOf(int64_t buffer) const { return placeOf(buffer, step); }
  std::byte* placeOf(int64_t buffer, int64_t step) const;
  std::vector<std::byte*> placesOf(const std::vector<int64_t>& buffers,
                                   int64_t step) const;
  static void restartSlots(RunningLoop& running);

  template <typename Run>
  absl::Status forEach(size_t begin, size_t end,
                       const std::atomic<bool>& isStopped, Run run);
  template <typename RunAll>
  absl::Status runOutside(size_t begin, size_t end, RunAll runAll);
  template <typename RunAll>
  absl::Status runLoop(RunningLoop& running, RunAll runAll);

  /// The block that runs next, where messages decide; waits until there is one.
  absl::StatusOr<size_t> nextBlock(RunningLoop& running);

  /// The timing called `name`, made if there is none.
  size_t timingOf(const std::string& name, bool isCollective);

  communication::Communicator* communicator;
  std::vector<int64_t> parameterBuffers;
  std::vector<int64_t> inputBuffers;
  std::vector<int64_t> outputBuffers;
  // Where steps overlap:
  int64_t lag = 0, inputsAhead = 0, mostAhead = 0, mostBehind = 0;
  int64_t stepsAtOnce = 1;
  const plan::EntryProgram* program = nullptr;  // that runs
  std::vector<plan::Rotation> rotations;
  int64_t firstStep = 0, lastStep = std::numeric_limits<int64_t>::max();
  std::vector<Step> steps;
  std::vector<RunningLoop> loops;
  std::optional<size_t> messagesTiming;  // index into `times`
  // Of the run that is under way:
  int64_t turn = 0;
  int64_t step = 0;  // of the tasks that run
  int64_t occurrence = 0;
  std::vector<int64_t> shifts;  // by Slots of the loop, from the first slot
  // Of the collective; kept, so that steps allocate nothing.
  std::vector<communication::CollectiveBuffers> collectiveBuffers;
  size_t firstUpdate = 0;   // index into `steps`
  size_t numGradients = 0;  // of the entry, in all programs
  std::vector<Gradient> gradients;
  std::vector<Timing> times;
  double secondsWithOthers = 0;
  trace::Recorder* recorder = nullptr;
  std::vector<int64_t> recordedAs;  // by timing
  int64_t updateRecordedAs = 0;
};

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_EXECUTOR_H_
