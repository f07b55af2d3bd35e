#include "runtime/main/Session.h"

#include <string.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/file/Show.h"
#include "runtime/initialize/Initialize.h"
#include "runtime/main/Actions.h"
#include "runtime/main/Describe.h"
#include "runtime/main/ProcessorCheck.h"
#include "runtime/plan/Box.h"
#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"
#include "runtime/text/Printable.h"

namespace sbp::program {
namespace {

/// Returns the options of the feed. Inputs that the action fills itself are
/// excluded.
data::FeedOptions feedOptions(const ProgramRun& run, uint64_t seed) {
  data::FeedOptions options;
  options.files = run.options.data;
  options.textPath = run.options.textPath;
  options.tokensPath = run.options.tokensPath;
  options.tokenType = run.options.tokenType;
  options.seed = seed;
  options.order = run.selection.action == Action::kTrain
                      ? data::Order::Kind::kShuffled
                      : data::Order::Kind::kSequential;
  if (run.selection.action == Action::kTrain)
    options.inputsWithoutData = {std::string(kLearningRateInput)};
  if (run.selection.action == Action::kSample)
    options.inputsWithoutData = {run.entry().inputs[0].name};
  return options;
}

/// Fails if the prompt has a byte that the model does not take.
absl::Status checkPrompt(const ProgramRun& run) {
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

/// Fails if options contradict each other, or the action cannot use one of the
/// files.
absl::Status checkOptions(const ProgramRun& run) {
  const Options& options = run.options;
  if (run.selection.action == Action::kSample &&
      (!options.data.empty() || !options.textPath.empty() ||
       !options.tokensPath.empty()))
    return error(
        "--sample takes its input from --prompt; --data, --text and --tokens "
        "are of no use to it");
  if (run.selection.action == Action::kTrain)
    for (const data::NamedPath& file : options.data)
      if (file.name == kLearningRateInput)
        return error(
            "input \"{}\" is the learning rate, which --lr and "
            "--schedule give; {} is of no use to it",
            kLearningRateInput, file.path);
  if (run.selection.action == Action::kTrain && run.entry().maxSkew > 0 &&
      options.onNan == OnNan::kSkip)
    return error(
        "--on-nan skip: steps of entry \"{}\" overlap, so that none can be "
        "left "
        "out; --on-nan takes stop or continue here",
        run.entry().name);
  if (run.selection.action != Action::kTrain && options.saveEvery > 0)
    return error(
        "--save-every is for training; entry \"{}\" changes no parameters",
        run.entry().name);
  std::map<std::string, std::string> writers;
  if (!options.savePath.empty()) writers[options.savePath] = "--save";
  std::vector<std::pair<std::string, std::string>> more;
  if (!options.tracePath.empty()) more = {{options.tracePath, "--trace"}};
  for (const data::NamedPath& dump : options.dumps)
    more.emplace_back(dump.path, "--dump " + dump.name);
  for (const auto& [path, writer] : more) {
    const auto [first, isNew] = writers.emplace(path, writer);
    if (!isNew)
      return error("{} and {} both write {}", first->second, writer, path);
  }
  return run.selection.action == Action::kSample ? checkPrompt(run)
                                                 : absl::OkStatus();
}

/// Returns the error of the first rank that has one, on all ranks.
absl::Status shared(communication::Communicator& communicator,
                    const absl::Status& mine) {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> errors,
                       communicator.allGather(textOf(mine)));
  for (const std::string& text : errors)
    if (!text.empty()) return error("{}", text);
  return absl::OkStatus();
}

/// Sets the parameters to their initial values, or to those of the checkpoint.
absl::Status fillParameters(const ProgramRun& run, int64_t rank, uint64_t seed,
                            const checkpoint::Checkpoint* loaded,
                            const execute::Executor& executor) {
  for (size_t i = 0; i < run.plan.parameters.size(); ++i) {
    const plan::Parameter& parameter = run.plan.parameters[i];
    // The file may lack optimiser state, and with --load-anyway missing any
    // parameter.
    const bool mayMiss =
        parameter.isState || run.options.accepts(Difference::kMissing);
    if (loaded && !mayMiss) continue;
    const plan::Group& group = run.plan.groupOf(parameter.tensor);
    const plan::Parameter& initial =
        parameter.earlier ? run.plan.parameters[parameter.earlier->parameter]
                          : parameter;
    if (group.has(rank))
      SBP_RETURN_IF_ERROR(
          executor.parameters()[i].write([&](std::byte* elements) {
            initialize(initial, plan::localBox(group, parameter.tensor, rank),
                       seed, elements);
            return absl::OkStatus();
          }));
  }
  if (!loaded) return absl::OkStatus();
  const checkpoint::AcceptedDifferences accepted = {
      run.options.accepts(Difference::kMissing),
      run.options.accepts(Difference::kExtra)};
  return loaded->load(run.plan, rank, executor.parameters(), accepted);
}

/// Returns the record for checkpoints of the run. A run that does not train
/// passes on the record that it has loaded.
checkpoint::RunRecord recordOf(const ProgramRun& run,
                               const TrainingSettings& settings,
                               const checkpoint::Checkpoint* loaded,
                               const data::Feed& feed) {
  checkpoint::RunRecord record;
  if (loaded) record = loaded->record();
  if (run.selection.action != Action::kTrain) {
    if (!loaded) record.seed = settings.seed;
    return record;
  }
  record.batch = feed.batch();
  record.sample = feed.positionOf(settings.firstStep);
  record.seed = settings.seed;
  record.optimizer = run.entry().optimizer;
  record.learningRate = settings.learningRate;
  return record;
}

/// Returns the fingerprint of the file that feeds each input, and the type as
/// which it is read.
absl::StatusOr<std::map<std::string, std::string>> fingerprintsOf(
    const std::map<std::string, data::InputFile>& files,
    const ProgramRun& run) {
  std::map<std::string, std::string> byInput;
  for (const auto& [input, file] : files) {
    SBP_ASSIGN_OR_RETURN(byInput[input], run.fingerprints.of(file.path));
    if (!file.readAs.empty()) byInput[input] += "-" + file.readAs;
  }
  return byInput;
}

/// The parts of a session that a rank opens alone.
struct Opened {
  std::optional<checkpoint::Checkpoint> loaded;
  TrainingSettings settings;
  data::Feed feed;
  Dumps dumps;
  RankDevice device;
};

/// Checks what the user has given, and opens it.
absl::StatusOr<Opened> open(const ProgramRun& run,
                            communication::Communicator& communicator) {
  const int64_t rank = communicator.rank();
  SBP_RETURN_IF_ERROR(checkProcessor(run.code.processor, rank));
  SBP_RETURN_IF_ERROR(checkOptions(run));
  std::optional<checkpoint::Checkpoint> loaded;
  if (!run.options.loadPath.empty()) {
    SBP_ASSIGN_OR_RETURN(loaded,
                         checkpoint::Checkpoint::open(run.options.loadPath));
  }
  const checkpoint::Checkpoint* file = loaded ? &*loaded : nullptr;
  TrainingSettings settings;
  settings.seed = run.options.seed.value_or(0);
  if (run.selection.action == Action::kTrain) {
    SBP_ASSIGN_OR_RETURN(
        settings, trainingSettings(run.options, run.plan, run.entry(), file));
  }
  SBP_ASSIGN_OR_RETURN(
      data::Feed feed,
      data::Feed::open(run.entry(), feedOptions(run, settings.seed),
                       run.plan.groups, rank));
  if (settings.firstSample)
    feed.continueAt(settings.firstStep, *settings.firstSample);
  SBP_ASSIGN_OR_RETURN(Dumps dumps, Dumps::find(run.options.dumps, run.plan,
                                                run.selection.entry));
  SBP_ASSIGN_OR_RETURN(RankDevice device,
                       RankDevice::open(run.plan, run.selection.entry, run.code,
                                        run.options, communicator));
  return Opened{std::move(loaded), std::move(settings), std::move(feed),
                std::move(dumps), std::move(device)};
}

}  // namespace

absl::StatusOr<Session> Session::prepare(
    const ProgramRun& run, communication::Communicator& communicator) {
  absl::StatusOr<Opened> opened = open(run, communicator);
  SBP_RETURN_IF_ERROR(communicator.agree(opened.status()));
  auto& [loaded, settings, feed, dumps, device] = *opened;
  SBP_RETURN_IF_ERROR(device.connect(run.options));
  const checkpoint::Checkpoint* file = loaded ? &*loaded : nullptr;
  if (run.selection.action == Action::kTrain && loaded &&
      loaded->record().batch.value_or(feed.batch()) != feed.batch())
    settings.notes.push_back(
        fmt::format("a step reads {}; a step of the run that saved {} read {}",
                    text::counted(feed.batch(), "sample"), loaded->path(),
                    *loaded->record().batch));
  SBP_ASSIGN_OR_RETURN(
      execute::Executor executor,
      execute::Executor::prepare(run.plan, run.selection.entry, device.rank()));
  executor.setIteration(settings.firstStep);
  if (run.options.profiles || !run.options.tracePath.empty())
    executor.timeWholeTasks();
  SBP_RETURN_IF_ERROR(
      fillParameters(run, communicator.rank(), settings.seed, file, executor));
  Saver saver(run.options, run.plan, recordOf(run, settings, file, feed));
  TraceFile trace(run.options.tracePath, run.plan, run.selection.entry,
                  executor);
  return Session{run,
                 communicator,
                 std::move(loaded),
                 std::move(settings),
                 std::move(device),
                 std::move(executor),
                 std::move(feed),
                 std::move(dumps),
                 std::move(saver),
                 std::move(trace)};
}

void Session::showNotes() const {
  std::vector<std::string> notes = settings.notes;
  if (loaded)
    for (const std::string& note : loaded->notes(run.plan))
      notes.push_back(note);
  for (const std::string& note : feed.notes()) notes.push_back(note);
  for (const std::string& note : device.notes()) notes.push_back(note);
  for (const std::string& note : notes)
    file::show(stderr, fmt::format("note: {}\n", text::printable(note)));
}

int64_t Session::numBatches() const {
  const int64_t wanted = run.options.numSteps;
  switch (run.selection.action) {
    case Action::kTrain:
      return settings.lastStep - settings.firstStep;
    case Action::kEvaluate:
      return wanted > 0 ? std::min(wanted, feed.numBatches())
                        : feed.numBatches();
    case Action::kSample:
      return 0;
  }
  return 0;
}

absl::Status Session::checkTogether() {
  const auto checkOnFirstRank = [&]() -> absl::Status {
    SBP_RETURN_IF_ERROR(dumps.checkWritable());
    SBP_RETURN_IF_ERROR(trace.checkWritable());
    SBP_RETURN_IF_ERROR(saver.reserve(settings.lastStep));
    if (!isTraining() || (!loaded && !saver.isActive()))
      return absl::OkStatus();
    SBP_ASSIGN_OR_RETURN(auto fingerprints, fingerprintsOf(feed.files(), run));
    const bool mustBeSame = loaded && !run.options.accepts(Difference::kData);
    if (mustBeSame)
      SBP_RETURN_IF_ERROR(checkSameData(*loaded, fingerprints, feed.files()));
    saver.setData(std::move(fingerprints));
    return absl::OkStatus();
  };
  const auto check = [&]() -> absl::Status {
    if (isFirstRank()) SBP_RETURN_IF_ERROR(checkOnFirstRank());
    const int64_t first = isTraining() ? settings.firstStep : 0;
    return feed.check(first, first + numBatches(), communicator.rank(),
                      communicator.size());
  };
  return shared(communicator, check());
}

absl::Status Session::perform() {
  if (isFirstRank()) showNotes();
  loaded.reset();  // a mapped file keeps its disk space when removed
  switch (run.selection.action) {
    case Action::kTrain:
      SBP_RETURN_IF_ERROR(train(*this));
      break;
    case Action::kEvaluate:
      SBP_RETURN_IF_ERROR(evaluate(*this));
      break;
    case Action::kSample:
      SBP_RETURN_IF_ERROR(sampleText(*this));
      break;
  }
  if (run.options.profiles && isFirstRank())
    file::show(stderr, describe(executor.timings()));
  return absl::OkStatus();
}

absl::Status Session::writeFiles() {
  absl::Status written = saver.saveLast(executor, communicator);
  if (isComplete) written.Update(dumps.write(executor, communicator));
  written.Update(trace.write(communicator));
  written = shared(communicator, written);
  if (written.ok() && stopSignal != 0 && isFirstRank())
    file::show(stderr,
               fmt::format("told to end by signal {} ({}): step {} of {} is "
                           "saved in {}\n",
                           stopSignal, strsignal(stopSignal), saver.step(),
                           settings.lastStep, saver.path()));
  return written;
}

}  // namespace sbp::program
