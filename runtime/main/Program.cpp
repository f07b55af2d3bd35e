#include "runtime/main/Program.h"

#include <cstdio>
#include <memory>
#include <vector>

#include "runtime/bootstrap/Environment.h"
#include "runtime/communication/World.h"
#include "runtime/file/ProcessSetup.h"
#include "runtime/file/Show.h"
#include "runtime/main/Describe.h"
#include "runtime/main/ExitCode.h"
#include "runtime/main/GpuRank.h"
#include "runtime/main/Interrupt.h"
#include "runtime/main/Options.h"
#include "runtime/main/RankDevice.h"
#include "runtime/main/Selection.h"
#include "runtime/main/Session.h"
#include "runtime/main/StartOf.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/plan/Plan.h"
#include "runtime/status/Status.h"
#include "runtime/text/Printable.h"

namespace sbp::program {
namespace {

using communication::Communicator;

/// Whether this process prints what all ranks know. True on rank 0, and if the
/// rank of the process is unknown.
bool speaksForAll() {
  const auto environment = bootstrap::readEnvironment();
  return !environment.ok() || environment->rank == 0;
}

void printError(const absl::Status& status) {
  file::show(stderr,
             fmt::format("error: {}\n", text::printable(textOf(status))));
}

int refuse(const absl::Status& status) {
  if (speaksForAll()) printError(status);
  return kErrorExitCode;
}

/// The end of a run in order, the same on all ranks.
struct Ending {
  // Invalid input from the user, numbers that are not finite, or a file that
  // cannot be written.
  absl::Status refusal;
  int stopSignal = 0;  // signal that ended a run that saves; 0: none
};

/// Runs one rank. An error on which all ranks agree goes to `ending`; the
/// returned status is a failure of this rank or an aborted world.
absl::Status runRank(const ProgramRun& run, Communicator& communicator,
                     Ending& ending) {
  absl::StatusOr<Session> session = Session::prepare(run, communicator);
  absl::Status agreed = communicator.agree(session.status());
  if (agreed.ok()) agreed = session->checkTogether();
  // The world may have aborted during the agreement.
  SBP_RETURN_IF_ERROR(communicator.abortStatus());
  if (!agreed.ok()) {
    ending.refusal = agreed;
    return absl::OkStatus();
  }
  SBP_RETURN_IF_ERROR(session->perform());
  if (!session->refusal.ok()) {
    ending.refusal = session->refusal;
    return absl::OkStatus();
  }
  const absl::Status written = session->writeFiles();
  SBP_RETURN_IF_ERROR(communicator.abortStatus());
  ending = {written, session->stopSignal};
  return absl::OkStatus();
}

/// Returns the exit code of a rank that ended with `status` and `ending`.
/// Prints the error unless another rank or the communicator has printed it.
int exitCodeOf(const absl::Status& status, const Ending& ending,
               const ProgramRun& run) {
  if (!ending.refusal.ok()) return refuse(ending.refusal);
  if (status.ok())
    return ending.stopSignal == 0 ? 0 : exitCodeOfSignal(ending.stopSignal);
  if (run.interruption.mustStopNow || absl::IsCancelled(status))
    return exitCodeOfSignal(run.interruption.signal);
  // Another rank has printed the reason, or the communicator has.
  if (absl::IsAborted(status)) return communication::kAbortedExitCode;
  printError(status);
  return kErrorExitCode;
}

/// Returns where a run ends after a signal: a training run that saves ends
/// after a step.
StopPoint stopPointOf(const Options& options, const Selection& selection) {
  return selection.action == Action::kTrain && !options.savePath.empty()
             ? StopPoint::kAfterStep
             : StopPoint::kBetweenKernels;
}

communication::WorldOptions worldOptions(const ProgramRun& run) {
  communication::WorldOptions options;
  options.groups = run.plan.groups;
  options.transfers = transfersOf(run.plan, run.selection.entry);
  options.arenaBytes = hostBytes(run.plan, run.selection.entry);
  options.transport = run.options.transport;
  options.waitTimeoutSeconds = run.options.waitTimeoutSeconds;
  return options;
}

int runThreads(const ProgramRun& run) {
  const auto environment = bootstrap::readEnvironment();
  if (environment.ok() && environment->size > 1)
    return refuse(
        error("--in-process runs all ranks in one process, but {} has started "
              "{} processes",
              environment->launcher, environment->size));
  std::vector<Ending> endings(run.plan.numRanks());
  const absl::Status status = communication::runInProcess(
      worldOptions(run), [&](Communicator& communicator) {
        return runRank(run, communicator, endings[communicator.rank()]);
      });
  return exitCodeOf(status, endings[0], run);
}

int runProcess(const ProgramRun& run) {
  communication::WorldOptions options = worldOptions(run);
  options.start = startOf(run);
  options.stopSignal = &run.interruption.signal;
  auto communicator = communication::connect(options);
  if (!communicator.ok()) return exitCodeOf(communicator.status(), {}, run);
  Ending ending;
  absl::Status status = runRank(run, **communicator, ending);
  if (status.ok()) {
    status = (*communicator)->finish();
  } else {
    (*communicator)->fail(status);
  }
  return exitCodeOf(status, ending, run);
}

int runCommand(int argc, const char* const* argv, std::string_view planText,
               const ProgramCode& code) {
  const auto plan = plan::fromJson(planText);
  if (!plan.ok())
    return refuse(
        error("this program's plan is damaged: {}", textOf(plan.status())));
  const auto parsed = parseCommandLine(argc, argv, *plan);
  if (const Reply* reply = std::get_if<Reply>(&parsed)) {
    if (reply->isError) return refuse(error("{}", reply->text));
    if (speaksForAll()) file::show(stdout, reply->text);
    return 0;
  }
  const Options& options = std::get<Options>(parsed);
  if (options.describes) {
    if (speaksForAll()) file::show(stdout, describe(*plan));
    return 0;
  }
  if (options.showsVersion) {
    if (speaksForAll()) file::show(stdout, describeVersion(*plan, planText));
    return 0;
  }
  const auto selection = select(options, *plan);
  if (!selection.ok()) return refuse(selection.status());
  data::Fingerprints fingerprints;
  const ProgramRun run = {options,
                          *plan,
                          code,
                          *selection,
                          catchInterrupts(stopPointOf(options, *selection)),
                          fingerprints};
  return options.isInProcess ? runThreads(run) : runProcess(run);
}

}  // namespace

int runProgram(int argc, const char* const* argv, std::string_view planText,
               const ProgramCode& code) {
  file::setUpProcess();
  const int exitCode = runCommand(argc, argv, planText, code);
  if (exitCode != 0 || !std::ferror(stdout)) return exitCode;
  return refuse(error("cannot write all of standard output"));
}

}  // namespace sbp::program
