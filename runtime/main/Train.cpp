#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "runtime/device/LocalTensor.h"
#include "runtime/main/Actions.h"
#include "runtime/main/NanPolicy.h"
#include "runtime/main/StepGuard.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/status/Status.h"
#include "runtime/tensor/Gather.h"
#include "runtime/train/LearningRate.h"
#include "runtime/train/Progress.h"
#include "runtime/train/StepAgreement.h"

namespace sbp::program {
namespace {

using Fact = train::StepAgreement::Fact;

/// Returns the loss of the step that has just run, on rank 0; nothing on other
/// ranks and if the entry has no loss.
absl::StatusOr<std::optional<double>> lossOf(Session& session) {
  const auto index = lossOutput(session.run.entry());
  if (!index) return std::nullopt;
  SBP_ASSIGN_OR_RETURN(const tensor::HostTensor loss,
                       tensor::gather(session.communicator,
                                      session.run.plan.groupOf(
                                          session.run.entry().outputs[*index]),
                                      session.run.entry().outputs[*index],
                                      session.executor.outputs()[*index]));
  if (!session.isFirstRank()) return std::nullopt;
  return loss.number(0);
}

/// Returns the sum of `mine` over all ranks.
absl::StatusOr<int64_t> sumOverRanks(communication::Communicator& communicator,
                                     int64_t mine) {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                       communicator.allGather(fmt::format("{}", mine)));
  int64_t sum = 0;
  for (const std::string& text : texts) {
    int64_t value = 0;
    if (absl::SimpleAtoi(text, &value)) sum += value;
  }
  return sum;
}

/// Returns the minimum of `mine` over all ranks.
absl::StatusOr<double> leastOfRanks(communication::Communicator& communicator,
                                    double mine) {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                       communicator.allGather(fmt::format("{}", mine)));
  double least = mine;
  for (const std::string& text : texts) {
    double value = 0;
    if (absl::SimpleAtod(text, &value)) least = std::min(least, value);
  }
  return least;
}

/// Measures the time of communication per step.
class CommunicationTime {
 public:
  explicit CommunicationTime(int64_t firstStep) : previousStep(firstStep) {}

  /// Returns the seconds of communication per step since the previous call, on
  /// the rank where it is least. `numSteps` is the number of steps done so far,
  /// those before this run included. Every rank must call it, after the same
  /// steps.
  absl::StatusOr<double> perStep(const Session& session, int64_t numSteps) {
    const double seconds = session.executor.communicationSeconds();
    const double mine = (seconds - previousSeconds) /
                        static_cast<double>(numSteps - previousStep);
    previousSeconds = seconds;
    previousStep = numSteps;
    return leastOfRanks(session.communicator, mine);
  }

 private:
  double previousSeconds = 0;
  int64_t previousStep;
};

/// Signals after which a run that saves ends.
constexpr std::pair<int, Fact> kStopSignals[] = {{SIGPIPE, Fact::kUnread},
                                                 {SIGHUP, Fact::kHungUp},
                                                 {SIGUSR1, Fact::kWarned},
                                                 {SIGTERM, Fact::kTerminated},
                                                 {SIGINT, Fact::kInterrupted}};

/// Adds this rank's reasons to end the run to the agreement of all ranks.
void noteReasonsToStop(const Session& session,
                       train::StepAgreement& agreement) {
  // A run that does not save ends between two kernels.
  if (!session.saver.isActive()) return;
  const int caught = session.run.interruption.signal;
  for (const auto& [signal, fact] : kStopSignals)
    if (signal == caught) agreement.note(fact);
  if (session.saver.hasFailed()) agreement.note(Fact::kSaveFailed);
}

/// Whether all ranks have agreed to end the run after this step.
bool mustStop(const train::StepAgreement& agreement, Session& session) {
  for (const auto& [signal, fact] : kStopSignals)
    if (agreement.has(fact)) session.stopSignal = signal;
  return session.stopSignal != 0 || agreement.has(Fact::kSaveFailed);
}

/// The settings of rank 0 for showing progress.
struct ProgressSettings {
  train::Progress::Style style;
  int64_t logEvery = 0;
  bool isTimed = false;  // show the time of communication
};

/// Returns the settings of rank 0 on all ranks: options may differ between
/// ranks, and standard output may be a terminal on some ranks only.
absl::StatusOr<ProgressSettings> agreeOnProgressSettings(const Session& session,
                                                         int64_t numSteps) {
  const Options& options = session.run.options;
  ProgressSettings progressSettings;
  progressSettings.style = options.isJson ? train::Progress::Style::kJson
                                          : train::Progress::styleFor(stdout);
  const int64_t logEvery =
      options.logEvery > 0
          ? options.logEvery
          : train::Progress::defaultLogEvery(progressSettings.style, numSteps);
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                       session.communicator.allGather(
                           fmt::format("{} {:d}", logEvery, options.profiles)));
  const std::vector<std::string> words = absl::StrSplit(texts[0], ' ');
  if (words.size() != 2 ||
      !absl::SimpleAtoi(words[0], &progressSettings.logEvery))
    return error("rank 0 shows its steps by \"{}\"", texts[0]);
  progressSettings.isTimed = words[1] == "1";
  return progressSettings;
}

train::Progress makeProgress(const Session& session,
                             const ProgressSettings& progressSettings,
                             int64_t firstStep, int64_t lastStep) {
  const bool hasTokens = session.feed.numTokens() > 0;
  return train::Progress(
      progressSettings.style, session.isFirstRank() ? stdout : nullptr,
      firstStep, lastStep, progressSettings.logEvery,
      hasTokens ? "tokens" : "samples",
      hasTokens ? session.feed.numTokens() : session.feed.batch());
}

/// Training whose steps overlap (plan::Entry::maxSkew > 0). The agreement on a
/// step arrives some steps later, when the step has been taken already.
///
/// The pipeline is drained before each checkpoint, and at the end.
class OverlappedSteps {
 public:
  OverlappedSteps(Session& session, train::Progress& progress)
      : session_(session),
        executor_(session.executor),
        progress_(progress),
        agreement_(session.communicator),
        guard_(session, agreement_),
        maxStepOffset_(
            plan::maxStepsAhead(session.run.plan, session.run.selection.entry)),
        rateInput_(learningRateInput(session.run.entry())),
        loss_(lossOutput(session.run.entry())),
        bytes_(session.device.rank().collectives.bytesReceived()) {}

  absl::Status run(int64_t firstStep, int64_t lastStep) {
    end_ = lastStep;
    for (int64_t first = firstStep; first < end_;) {
      int64_t last = first + 1;
      while (last < end_ && !session_.saver.isDue(last)) ++last;
      SBP_RETURN_IF_ERROR(runSteps(first, last));
      first = last_;
      executor_.setIteration(first);
      if (!session_.refusal.ok()) return absl::OkStatus();
      SBP_RETURN_IF_ERROR(
          session_.saver.noteStep(first, session_.feed.positionOf(first),
                                  executor_, session_.communicator));
    }
    session_.isComplete = end_ == lastStep;
    return absl::OkStatus();
  }

 private:
  absl::Status runSteps(int64_t first, int64_t last) {
    const std::atomic<bool>& isStopped = session_.run.interruption.mustStopNow;
    last_ = last;
    executor_.setSteps(first, last);
    for (int64_t iteration = executor_.firstIteration();
         iteration < executor_.endIteration(); ++iteration) {
      executor_.setIteration(iteration);
      session_.trace.beginStep(iteration + 1);
      SBP_RETURN_IF_ERROR(load());
      SBP_RETURN_IF_ERROR(executor_.runUntilUpdate(isStopped));
      if (executor_.isOfRun(iteration)) SBP_RETURN_IF_ERROR(sendStep());
      SBP_RETURN_IF_ERROR(executor_.runUpdate(isStopped));
      session_.trace.endStep();
      const int64_t received = iteration - session_.run.entry().maxSkew;
      if (executor_.isOfRun(received))
        SBP_RETURN_IF_ERROR(receiveStep(received, iteration));
    }
    return absl::OkStatus();
  }

  absl::Status load() {
    const int64_t step = executor_.inputStep();
    if (!executor_.isOfRun(step)) return absl::OkStatus();
    const std::vector<device::LocalTensor> inputs = executor_.inputs();
    SBP_RETURN_IF_ERROR(session_.feed.load(step, inputs));
    const auto rate = float(session_.settings.learningRate.at(step));
    if (inputs[*rateInput_].isHere())
      SBP_RETURN_IF_ERROR(inputs[*rateInput_].set(rate));
    return session_.feed.checkWhole();
  }

  absl::Status sendStep() {
    SBP_RETURN_IF_ERROR(guard_.addTerms());
    noteReasonsToStop(session_, agreement_);
    const int64_t bytes = session_.device.rank().collectives.bytesReceived();
    agreement_.add(train::StepAgreement::Sum::kBytesReceived,
                   double(bytes - std::exchange(bytes_, bytes)));
    ends_.push_back(train::StepReport::Clock::now());
    return agreement_.send();
  }

  /// Receives the agreement on `step`, at the end of `iteration`, the same on
  /// every rank.
  absl::Status receiveStep(int64_t step, int64_t iteration) {
    SBP_RETURN_IF_ERROR(agreement_.receive());
    if (!guard_.isFinite() && session_.run.options.onNan == OnNan::kStop &&
        session_.refusal.ok()) {
      session_.refusal = error(
          "step {}: {}; as steps overlap, this step and later ones have "
          "changed "
          "parameters, and nothing is saved",
          step + 1, guard_.finding());
      endSoon(iteration);
    }
    if (progress_.shows(step + 1))
      progress_.report(
          {step + 1, loss(), guard_.gradientNorm(),
           session_.settings.learningRate.at(step),
           int64_t(agreement_.sum(train::StepAgreement::Sum::kBytesReceived)),
           /*communicationSeconds=*/std::nullopt, /*isSkipped=*/false,
           ends_.front()});
    ends_.pop_front();
    if (step + 1 < end_ && mustStop(agreement_, session_)) endSoon(iteration);
    return absl::OkStatus();
  }

  std::optional<double> loss() const {
    if (!loss_) return std::nullopt;
    return agreement_.sum(train::StepAgreement::Sum::kLoss);
  }

  /// Ends the run after the steps that any rank may have begun already.
  void endSoon(int64_t iteration) {
    last_ = std::min(last_, iteration + 1 + maxStepOffset_);
    end_ = last_;
    executor_.setLastStep(last_);
  }

  Session& session_;
  execute::Executor& executor_;
  train::Progress& progress_;
  train::StepAgreement agreement_;
  StepGuard guard_;
  int64_t maxStepOffset_;
  std::optional<size_t> rateInput_, loss_;
  std::deque<train::StepReport::Clock::time_point>
      ends_;          // of steps whose agreement is still to come
  int64_t bytes_;     // received up to the last step that was sent
  int64_t last_ = 0;  // end of the steps that run now
  int64_t end_ = 0;   // end of all steps
};

}  // namespace

absl::Status train(Session& session) {
  const auto [firstStep, lastStep] =
      std::pair(session.settings.firstStep, session.settings.lastStep);
  const auto rateInput = learningRateInput(session.run.entry());

  std::optional<int64_t> bytesPerStep;
  CommunicationTime communicationTime(firstStep);
  SBP_ASSIGN_OR_RETURN(const ProgressSettings progressSettings,
                       agreeOnProgressSettings(session, lastStep - firstStep));
  train::Progress progress =
      makeProgress(session, progressSettings, firstStep, lastStep);
  if (session.run.entry().maxSkew > 0) {
    SBP_RETURN_IF_ERROR(
        OverlappedSteps(session, progress).run(firstStep, lastStep));
    return session.isComplete && session.refusal.ok()
               ? session.dumps.collect(session.executor, session.communicator)
               : absl::OkStatus();
  }
  train::StepAgreement agreement(session.communicator);
  StepGuard guard(session, agreement);
  NanPolicy nanPolicy(session, guard, progress);
  const std::atomic<bool>& isStopped = session.run.interruption.mustStopNow;
  for (int64_t step = firstStep; step < lastStep; ++step) {
    session.trace.beginStep(step + 1);
    const std::vector<device::LocalTensor> inputs = session.executor.inputs();
    SBP_RETURN_IF_ERROR(session.feed.load(step, inputs));
    SBP_RETURN_IF_ERROR(session.feed.checkWhole());
    const double rate = session.settings.learningRate.at(step);
    if (inputs[*rateInput].isHere())
      SBP_RETURN_IF_ERROR(inputs[*rateInput].set(float(rate)));
    const int64_t bytesBefore =
        session.device.rank().collectives.bytesReceived();
    SBP_RETURN_IF_ERROR(session.executor.runUntilUpdate(isStopped));
    SBP_RETURN_IF_ERROR(guard.addTerms());
    noteReasonsToStop(session, agreement);
    SBP_RETURN_IF_ERROR(agreement.agree());
    SBP_ASSIGN_OR_RETURN(const bool isTaken,
                         nanPolicy.takes(step + 1, session.refusal));
    if (!session.refusal.ok()) return absl::OkStatus();
    if (isTaken) {
      SBP_RETURN_IF_ERROR(session.executor.runUpdate(isStopped));
      session.executor.advance();
    }
    session.trace.endStep();
    if (isTaken && !bytesPerStep) {
      // Every step receives as many bytes as the first.
      SBP_ASSIGN_OR_RETURN(
          bytesPerStep,
          sumOverRanks(
              session.communicator,
              session.device.rank().collectives.bytesReceived() - bytesBefore));
    }
    if (progress.shows(step + 1)) {
      SBP_ASSIGN_OR_RETURN(const std::optional<double> loss, lossOf(session));
      std::optional<double> communicationSeconds;
      if (progressSettings.isTimed) {
        SBP_ASSIGN_OR_RETURN(communicationSeconds,
                             communicationTime.perStep(session, step + 1));
      }
      progress.report({step + 1, loss, guard.gradientNorm(), rate,
                       bytesPerStep.value_or(0), communicationSeconds,
                       /*isSkipped=*/!isTaken});
    }
    SBP_RETURN_IF_ERROR(
        session.saver.noteStep(step + 1, session.feed.positionOf(step + 1),
                               session.executor, session.communicator));
    // After the last step there is nothing to stop.
    if (step + 1 < lastStep && mustStop(agreement, session)) {
      session.isComplete = false;
      return absl::OkStatus();
    }
  }
  nanPolicy.summarize(lastStep - firstStep);
  return session.dumps.collect(session.executor, session.communicator);
}

}  // namespace sbp::program
