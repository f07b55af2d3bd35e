// A rank's part of a program, made ready and run.
//
// A plan says "kernel 3 on the buffers at 0, 64 and 4096"; an executor has the
// kernel's address and three pointers, and the collectives worked out, before
// the first step. Running an entry is then a walk through a table.

#ifndef RUNTIME_EXECUTE_EXECUTOR_H_
#define RUNTIME_EXECUTE_EXECUTOR_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/Abi.h"
#include "runtime/communication/Communicator.h"
#include "runtime/plan/Plan.h"

namespace sbp::execute {

/// The program that `rank` runs.
const plan::Program& programOf(const plan::Plan& plan, int64_t rank);

/// Bytes of each rank's arena when `entry` (an index into Plan::entries) runs.
std::vector<int64_t> arenaBytes(const plan::Plan& plan, size_t entry);

/// "all_reduce over data, model"
std::string nameOf(const plan::Plan& plan, const plan::CollectiveTask& task);

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
  const std::vector<std::byte*>& parameters() const { return parameterBuffers; }
  const std::vector<std::byte*>& inputs() const { return inputBuffers; }
  const std::vector<std::byte*>& outputs() const { return outputBuffers; }

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

  /// Runs task `index` of the entry alone, for the time `time` of its loop.
  absl::Status runTask(size_t index, int64_t time);

  /// Calls `run` with the tasks of the first part of a run, in the order in
  /// which they run, and those of a loop as often as they do, with the time;
  /// ends at its first error, and as run() does.
  absl::Status forEachUntilUpdate(
      const std::atomic<bool>& isStopped,
      const std::function<absl::Status(size_t, int64_t)>& run) const;

  /// Time of all runs, by name, longest first.
  std::vector<Timing> timings() const;

  /// Seconds of all runs in collectives that involve other ranks, waiting for
  /// them included. A rank that computes longer than the others waits less, so
  /// the least of all ranks is what communication takes.
  double communicationSeconds() const { return secondsWithOthers; }

 private:
  struct Step {
    SbpKernel kernel = nullptr;  // or one of these:
    std::shared_ptr<const communication::PreparedCollective> collective;
    std::shared_ptr<const communication::PreparedTransfer> transfer;
    plan::TransferTask end;      // of the transfer
    std::vector<void*> buffers;  // of the kernel
    size_t timing = 0;           // index into `times`
    bool involvesOthers = false;
  };

  /// A gradient that this rank counts.
  struct Gradient {
    const float* elements = nullptr;
    int64_t numElements = 0;
  };

  explicit Executor(communication::Communicator& communicator)
      : communicator(&communicator) {}

  absl::Status runSteps(size_t begin, size_t end,
                        const std::atomic<bool>& isStopped);

  template <typename Run>
  absl::Status forEach(size_t begin, size_t end,
                       const std::atomic<bool>& isStopped, Run run) const;

  /// The timing called `name`, made if there is none.
  size_t timingOf(const std::string& name, bool isCollective);

  communication::Communicator* communicator;
  std::vector<std::byte*> parameterBuffers;
  std::vector<std::byte*> inputBuffers;
  std::vector<std::byte*> outputBuffers;
  std::vector<Step> steps;
  std::vector<plan::Loop> loops;
  size_t firstUpdate = 0;   // index into `steps`
  size_t numGradients = 0;  // of the entry, in all programs
  std::vector<Gradient> gradients;
  std::vector<Timing> times;
  double secondsWithOthers = 0;
};

}  // namespace sbp::execute

#endif  // RUNTIME_EXECUTE_EXECUTOR_H_
