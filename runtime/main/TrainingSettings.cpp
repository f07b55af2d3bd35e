#include "runtime/main/TrainingSettings.h"

#include <algorithm>
#include <string_view>

#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"

namespace sbp::program {
namespace {

using checkpoint::Checkpoint;
using checkpoint::RunRecord;
using train::LearningRate;

/// Chooses between the value of an option and the value in the checkpoint. Adds
/// a note if both exist and differ.
class Chooser {
 public:
  Chooser(const Checkpoint* loaded, std::vector<std::string>& notes)
      : loaded(loaded), notes(notes) {}

  template <typename Value>
  Value choose(const char* option, const std::optional<Value>& given,
               const std::optional<Value>& recorded, Value fallback) {
    if (given && recorded && *given != *recorded)
      notes.push_back(fmt::format("{} {} replaces the {} of {}", option,
                                  textOf(*given), textOf(*recorded),
                                  loaded->path()));
    if (given) return *given;
    return recorded.value_or(fallback);
  }

 private:
  static std::string_view textOf(LearningRate::Schedule schedule) {
    return train::toString(schedule);
  }
  template <typename Number>
  static Number textOf(Number number) {
    return number;
  }

  const Checkpoint* loaded;
  std::vector<std::string>& notes;
};

/// Returns the learning rate of the run, without the number of steps.
LearningRate learningRateOf(const Options& options,
                            const std::optional<LearningRate>& recorded,
                            Chooser& chooser) {
  const auto was = [&](auto LearningRate::* field) {
    return recorded ? std::optional((*recorded).*field) : std::nullopt;
  };
  const LearningRate defaults;
  LearningRate rate;
  rate.schedule =
      chooser.choose("--schedule", options.schedule,
                     was(&LearningRate::schedule), defaults.schedule);
  rate.peak = chooser.choose("--lr", options.peakRate, was(&LearningRate::peak),
                             defaults.peak);
  rate.minimum = chooser.choose("--min-lr", options.minimumRate,
                                was(&LearningRate::minimum), defaults.minimum);
  rate.warmupSteps =
      chooser.choose("--warmup", options.warmupSteps,
                     was(&LearningRate::warmupSteps), defaults.warmupSteps);
  return rate;
}

/// Fails if the minimum is above the peak. Notes a warm-up that is longer than
/// the run.
absl::Status checkLearningRate(const LearningRate& rate,
                               std::vector<std::string>& notes) {
  if (rate.minimum > rate.peak)
    return error(
        "--min-lr {} is above --lr {}; the learning rate falls from --lr to "
        "--min-lr",
        rate.minimum, rate.peak);
  if (rate.warmupSteps > rate.numSteps)
    notes.push_back(fmt::format(
        "--warmup {} is longer than the run of {}: the learning rate does not "
        "reach {}",
        rate.warmupSteps, text::counted(rate.numSteps, "step"), rate.peak));
  return absl::OkStatus();
}

/// Sets the last step, which is also the length of the schedule.
absl::Status setEnd(const Options& options, const Checkpoint* loaded,
                    TrainingSettings& settings) {
  std::optional<int64_t> recorded;
  if (loaded && loaded->record().learningRate)
    recorded = loaded->record().learningRate->numSteps;
  if (options.numSteps > 0 || !recorded) {
    const int64_t more =
        options.numSteps > 0 ? options.numSteps : kDefaultSteps;
    settings.lastStep = settings.firstStep + more;
    // Going on after the recorded end at a constant rate needs no note.
    const bool isCut = recorded && *recorded > settings.firstStep;
    const bool isBent = recorded && settings.learningRate.schedule !=
                                        LearningRate::Schedule::kConstant;
    if ((isCut || isBent) && *recorded != settings.lastStep)
      settings.notes.push_back(fmt::format(
          "--steps {} makes this a run of {}, not of {} like that of {}", more,
          text::counted(settings.lastStep, "step"), *recorded, loaded->path()));
  } else if (*recorded > settings.firstStep) {
    settings.lastStep = *recorded;
  } else {
    return error("{} has had all {} of its run; --steps N trains N more",
                 loaded->path(), text::counted(*recorded, "step"));
  }
  settings.learningRate.numSteps = settings.lastStep;
  return absl::OkStatus();
}

/// Returns the kind of an optimiser: "adamw" for "adamw<weight_decay = 0.1>".
std::string_view kindOf(std::string_view optimizer) {
  return optimizer.substr(0, optimizer.find('<'));
}

/// Compares the optimiser of the checkpoint with that of the program. Fails if
/// kinds or states differ, unless the options accept that; otherwise notes
/// differences.
absl::Status checkOptimizer(const Options& options, const plan::Plan& plan,
                            const plan::Entry& entry, const Checkpoint& loaded,
                            std::vector<std::string>& notes) {
  const std::string& was = loaded.record().optimizer;
  const std::string& is = entry.optimizer;
  const std::string lost = loaded.foreignState(plan);
  const bool isOther = !was.empty() && !is.empty() && kindOf(was) != kindOf(is);
  std::string difference;
  if (isOther || (!lost.empty() && !was.empty() && !is.empty())) {
    difference = fmt::format("{} was trained by {}, this program trains by {}",
                             loaded.path(), was, is);
  } else if (!lost.empty()) {
    difference = fmt::format(
        "{} has the optimiser state \"{}\", this program has none like it",
        loaded.path(), lost);
  } else {
    if (!was.empty() && !is.empty() && was != is)
      notes.push_back(
          fmt::format("this program trains by {}; {} was trained "
                      "by {}",
                      is, loaded.path(), was));
    return absl::OkStatus();
  }
  if (!options.accepts(Difference::kOptimizer))
    return error(
        "{}; --load-anyway optimizer continues with the weights, and with the "
        "state that both have",
        difference);
  notes.push_back(difference);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TrainingSettings> trainingSettings(const Options& options,
                                                  const plan::Plan& plan,
                                                  const plan::Entry& entry,
                                                  const Checkpoint* loaded) {
  TrainingSettings settings;
  const RunRecord record = loaded ? loaded->record() : RunRecord();
  Chooser chooser(loaded, settings.notes);
  settings.firstStep = record.step;
  settings.firstSample = record.sample;
  settings.seed =
      chooser.choose("--seed", options.seed, record.seed, uint64_t{0});
  settings.learningRate = learningRateOf(options, record.learningRate, chooser);
  SBP_RETURN_IF_ERROR(setEnd(options, loaded, settings));
  SBP_RETURN_IF_ERROR(checkLearningRate(settings.learningRate, settings.notes));
  if (loaded)
    SBP_RETURN_IF_ERROR(
        checkOptimizer(options, plan, entry, *loaded, settings.notes));
  return settings;
}

absl::Status checkSameData(
    const Checkpoint& loaded, const std::map<std::string, std::string>& data,
    const std::map<std::string, data::InputFile>& files) {
  for (const auto& [input, was] : loaded.record().data) {
    const auto found = data.find(input);
    if (found == data.end() || found->second == was) continue;
    return error(
        "input \"{}\": {} is not the data that {} was trained on (fingerprint "
        "{}, not {}); --load-anyway data goes on with it",
        input, files.at(input).path, loaded.path(), found->second, was);
  }
  return absl::OkStatus();
}

}  // namespace sbp::program
