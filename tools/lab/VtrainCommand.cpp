#include "tools/lab/VtrainCommand.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "runtime/file/MappedFile.h"
#include "runtime/options/Checks.h"
#include "runtime/status/Status.h"
#include "tools/lab/vtrain/Validation.h"

namespace sbp::vtrain {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kFooter[] = R"(
RUNS has a line of names and lines GPUs,global batch,micro batch,hidden size,
attention heads,layers,sequence length,tensor,data,pipeline parallelism,
iteration time (ms). Seven numbers of the machine are fitted: rate, the work at
which half of it is reached, memory, launch, a factor of all-reduces, messages,
and a constant. Steps are simulated by 1f1b.

Without --fit, each fold of RUNS is fitted in turn and compared with the others.

Example:
  sbp-lab vtrain single.csv --all-reduce 2=ar2 --all-reduce 4=ar4 \
      --all-reduce 8=ar8
)";

template <typename Read>
auto readFile(const std::string& path, Read read)
    -> decltype(read(std::string_view())) {
  SBP_ASSIGN_OR_RETURN(const file::MappedFile file,
                       file::MappedFile::open(path));
  auto result = read(file.bytes());
  if (!result.ok()) return error("{}: {}", path, textOf(result.status()));
  return result;
}

absl::StatusOr<AllReduces> readAllReduces(
    const std::vector<std::string>& options) {
  AllReduces all;
  for (const std::string& option : options) {
    const size_t equals = option.find('=');
    int64_t gpus = 0;
    if (equals == std::string::npos ||
        !absl::SimpleAtoi(option.substr(0, equals), &gpus) || gpus < 2)
      return error("--all-reduce is GPUS=FILE, such as 8=table; '{}' is given",
                   option);
    SBP_ASSIGN_OR_RETURN(
        AllReduceTimes times,
        readFile(option.substr(equals + 1), AllReduceTimes::read));
    all.emplace(gpus, std::move(times));
  }
  return all;
}

/// Reads runs, and checks that there are times of their all-reduces.
absl::StatusOr<std::vector<MeasuredRun>> readRunsOf(
    const std::string& path, const AllReduces& allReduces) {
  SBP_ASSIGN_OR_RETURN(std::vector<MeasuredRun> runs, readFile(path, readRuns));
  for (const MeasuredRun& run : runs)
    for (int64_t degree : {run.tensor, run.data})
      if (degree > 1 && allReduces.count(degree) == 0)
        return error(
            "{} has runs with all-reduces among {} GPUs; --all-reduce "
            "{}=FILE gives their times",
            path, degree, degree);
  return runs;
}

Json toJson(MachineNumbers numbers) {
  return {{"rate", numbers.rate},
          {"half", numbers.half},
          {"memory", numbers.memory},
          {"launch", numbers.launch},
          {"all_reduce", numbers.allReduce},
          {"message", numbers.message},
          {"constant", numbers.constant}};
}

Json toJson(const Errors& errors) {
  return {{"mean", errors.mean},
          {"median", errors.median},
          {"percentile_90", errors.percentile90}};
}

Json toJson(const Choices& choices) {
  return {{"groups", choices.groups},
          {"fastest_among_three", choices.amongThree},
          {"loss_of_first", choices.loss}};
}

}  // namespace

CLI::App& addVtrainCommand(CLI::App& app, VtrainOptions& options) {
  CLI::App& vtrain = *app.add_subcommand(
      "vtrain",
      "Simulated against measured steps of Megatron-DeepSpeed (vTrain's data)");
  vtrain.footer(kFooter);
  vtrain.add_option("runs", options.runsPath, "File of measured runs")
      ->type_name("RUNS");
  vtrain
      .add_option("--fit", options.fitPath,
                  "File of runs to which the numbers are fitted")
      ->type_name("RUNS");
  vtrain
      .add_option("--all-reduce", options.allReduces,
                  "Measured times of all-reduces among a number of GPUs")
      ->type_name("GPUS=FILE");
  vtrain.add_option("--folds", options.folds, "Number of folds")
      ->type_name("N")
      ->check(options::integerFrom(2, 100))
      ->capture_default_str();
  return vtrain;
}

absl::StatusOr<Json> validate(const VtrainOptions& options) {
  if (options.runsPath.empty()) return error("which RUNS?");
  SBP_ASSIGN_OR_RETURN(const AllReduces allReduces,
                       readAllReduces(options.allReduces));
  SBP_ASSIGN_OR_RETURN(const std::vector<MeasuredRun> runs,
                       readRunsOf(options.runsPath, allReduces));
  Json json;
  json["runs"] = runs.size();
  if (!options.fitPath.empty()) {
    SBP_ASSIGN_OR_RETURN(const std::vector<MeasuredRun> fitted,
                         readRunsOf(options.fitPath, allReduces));
    const MachineNumbers numbers = fitNumbers(fitted, allReduces);
    json["errors"] = toJson(errorsOf(runs, numbers, allReduces));
    json["choices"] = toJson(choicesOf(runs, numbers, allReduces));
    json["numbers"] = toJson(numbers);
    return json;
  }
  if (static_cast<int64_t>(runs.size()) < options.folds)
    return error("{} has {} runs, too few for {} folds", options.runsPath,
                 runs.size(), options.folds);
  const std::vector<Fold> folds =
      crossValidate(runs, options.folds, allReduces);
  const auto number = static_cast<double>(folds.size());
  Errors mean;
  Choices choices;
  Json each = Json::array();
  for (const Fold& fold : folds) {
    mean.mean += fold.others.mean / number;
    mean.median += fold.others.median / number;
    mean.percentile90 += fold.others.percentile90 / number;
    choices.groups = fold.choices.groups;
    choices.amongThree += fold.choices.amongThree / number;
    choices.loss += fold.choices.loss / number;
    each.push_back({{"fitted", fold.fitted.mean},
                    {"others", fold.others.mean},
                    {"numbers", toJson(fold.numbers)}});
  }
  json["errors"] = toJson(mean);
  json["choices"] = toJson(choices);
  json["folds"] = std::move(each);
  return json;
}

}  // namespace sbp::vtrain
