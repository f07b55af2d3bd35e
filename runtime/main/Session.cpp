#include "runtime/main/Session.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/file/OutputFile.h"
#include "runtime/file/Show.h"
#include "runtime/initialize/Initialize.h"
#include "runtime/main/Actions.h"
#include "runtime/main/Describe.h"
#include "runtime/plan/Box.h"
#include "runtime/status/Status.h"

namespace sbp::program {
namespace {

/// What fills the inputs of the entry, besides the action itself.
data::FeedOptions feedOptions(const Run& run) {
  data::FeedOptions options;
  options.files = run.options.data;
  options.textPath = run.options.textPath;
  options.seed = run.options.seed;
  options.order = run.selection.action == Action::kTrain
                      ? data::Order::Kind::kShuffled
                      : data::Order::Kind::kSequential;
  if (run.selection.action == Action::kTrain)
    options.given = {std::string(kLearningRateInput)};
  if (run.selection.action == Action::kSample)
    options.given = {run.entry().inputs[0].name};
  return options;
}

/// A prompt must be of bytes that the model knows.
absl::Status checkPrompt(const Run& run) {
  const plan::Tensor& tokens = run.entry().inputs[0];
  if (!tokens.below) return absl::OkStatus();
  const std::string& prompt = run.options.prompt;
  for (size_t i = 0; i < prompt.size(); ++i)
    if (static_cast<unsigned char>(prompt[i]) >= *tokens.below)
      return error(
          "--prompt: byte {} is {}, but input \"{}\" takes integers from 0 to "
          "{}",
          i, static_cast<unsigned char>(prompt[i]), tokens.name,
          *tokens.below - 1);
  return absl::OkStatus();
}

/// Files that the action has no use for are a misunderstanding.
absl::Status checkOptions(const Run& run) {
  const Options& options = run.options;
  if (run.selection.action == Action::kSample &&
      (!options.data.empty() || !options.textPath.empty()))
    return error(
        "--sample takes its input from --prompt; --data and --text are of no "
        "use to it");
  if (run.selection.action == Action::kTrain)
    for (const data::NamedPath& file : options.data)
      if (file.name == kLearningRateInput)
        return error(
            "input \"{}\" is the learning rate, which --lr and "
            "--schedule give; {} is of no use to it",
            kLearningRateInput, file.path);
  std::map<std::string, std::string> writers;
  if (!options.savePath.empty()) writers[options.savePath] = "--save";
  for (const data::NamedPath& dump : options.dumps) {
    const std::string writer = "--dump " + dump.name;
    const auto [first, isNew] = writers.emplace(dump.path, writer);
    if (!isNew)
      return error("{} and {} both write {}", first->second, writer, dump.path);
  }
  return run.selection.action == Action::kSample ? checkPrompt(run)
                                                 : absl::OkStatus();
}

/// The error of the first rank that has one, on all ranks.
absl::Status shared(communication::Communicator& communicator,
                    const absl::Status& mine) {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> errors,
                       communicator.allGather(textOf(mine)));
  for (const std::string& text : errors)
    if (!text.empty()) return error("{}", text);
  return absl::OkStatus();
}

/// Gives parameters their first values; returns the steps they have had.
absl::StatusOr<int64_t> fillParameters(const Run& run, int64_t rank,
                                       const execute::Executor& executor) {
  const bool isLoaded = !run.options.loadPath.empty();
  for (size_t i = 0; i < run.plan.parameters.size(); ++i) {
    const plan::Parameter& parameter = run.plan.parameters[i];
    // A file need not have the optimiser's state.
    if (isLoaded && !parameter.isState) continue;
    initialize(parameter, plan::localBox(run.plan.mesh, parameter.tensor, rank),
               run.options.seed, executor.parameters()[i]);
  }
  if (!isLoaded) return 0;
  return checkpoint::load(run.options.loadPath, run.plan, rank,
                          executor.parameters());
}

}  // namespace

absl::StatusOr<Session> Session::prepare(
    const Run& run, communication::Communicator& communicator) {
  const int64_t rank = communicator.rank();
  SBP_RETURN_IF_ERROR(checkOptions(run));
  SBP_ASSIGN_OR_RETURN(
      data::Feed feed,
      data::Feed::open(run.entry(), feedOptions(run), run.plan.mesh, rank));
  SBP_ASSIGN_OR_RETURN(Dumps dumps, Dumps::find(run.options.dumps, run.plan,
                                                run.selection.entry));
  SBP_ASSIGN_OR_RETURN(execute::Executor executor,
                       execute::Executor::prepare(run.plan, run.selection.entry,
                                                  run.kernels, communicator));
  SBP_ASSIGN_OR_RETURN(const int64_t firstStep,
                       fillParameters(run, rank, executor));
  return Session{run,
                 communicator,
                 std::move(executor),
                 std::move(feed),
                 std::move(dumps),
                 firstStep};
}

int64_t Session::numBatches() const {
  const int64_t wanted = run.options.numSteps;
  switch (run.selection.action) {
    case Action::kTrain:
      return wanted > 0 ? wanted : kUsualSteps;
    case Action::kEvaluate:
      return wanted > 0 ? std::min(wanted, feed.numBatches())
                        : feed.numBatches();
    case Action::kSample:
      return 0;
  }
  return 0;
}

absl::Status Session::checkFiles() const {
  const auto check = [&]() -> absl::Status {
    if (isFirstRank()) {
      SBP_RETURN_IF_ERROR(dumps.checkWritable());
      if (!run.options.savePath.empty())
        SBP_RETURN_IF_ERROR(file::checkWritable(run.options.savePath));
    }
    const int64_t first =
        run.selection.action == Action::kTrain ? firstStep : 0;
    return feed.check(first, first + numBatches(), communicator.rank(),
                      communicator.size());
  };
  return shared(communicator, check());
}

absl::StatusOr<int64_t> Session::perform() {
  int64_t numSteps = firstStep;
  switch (run.selection.action) {
    case Action::kTrain: {
      SBP_ASSIGN_OR_RETURN(numSteps, train(*this));
      break;
    }
    case Action::kEvaluate:
      SBP_RETURN_IF_ERROR(evaluate(*this));
      break;
    case Action::kSample:
      SBP_RETURN_IF_ERROR(sampleText(*this));
      break;
  }
  if (run.options.profiles && isFirstRank())
    file::show(stderr, describe(executor.timings()));
  return numSteps;
}

absl::Status Session::writeFiles(int64_t numSteps) {
  absl::Status written;
  if (!run.options.savePath.empty())
    written = checkpoint::save(run.options.savePath, run.plan,
                               executor.parameters(), numSteps, communicator);
  written.Update(dumps.write(executor, communicator));
  return shared(communicator, written);
}

}  // namespace sbp::program
