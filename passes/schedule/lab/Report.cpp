#include "passes/schedule/lab/Report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "passes/schedule/Bounds.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Picture.h"
#include "passes/schedule/Pipes.h"
#include "passes/schedule/Recomputation.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/Slots.h"
#include "passes/schedule/families/FamilyText.h"
#include "passes/schedule/lab/ChimeraModel.h"
#include "runtime/file/MappedFile.h"
#include "runtime/file/OutputFile.h"
#include "runtime/status/Status.h"

namespace sbp::schedule::lab {
namespace {

using Json = nlohmann::ordered_json;

absl::Status checkCount(const Request& request, std::string_view option,
                        std::optional<int64_t> wanted, int64_t found) {
  if (!wanted || *wanted == found) return absl::OkStatus();
  return error("{} has {} where {} says {}; the option may be left out",
               request.tablePath, found, option, *wanted);
}

absl::StatusOr<Table> readTable(const Request& request) {
  if (request.chunks || request.pairs || request.variant)
    return error(
        "--chunks, --pairs and --variant belong to families; {} has its "
        "own table",
        request.tablePath);
  if (!request.workerOfStage.empty())
    return error(
        "--stage-workers belongs to --family list; {} has its own "
        "table",
        request.tablePath);
  SBP_ASSIGN_OR_RETURN(const file::MappedFile file,
                       file::MappedFile::open(request.tablePath));
  absl::StatusOr<Table> table = readCsv(file.bytes());
  if (!table.ok())
    return error("{}: {}", request.tablePath, textOf(table.status()));
  SBP_RETURN_IF_ERROR(
      checkCount(request, "--stages", request.stages, table->numStages));
  SBP_RETURN_IF_ERROR(checkCount(request, "--micro-batches",
                                 request.microBatches, table->numMicroBatches));
  return table;
}

absl::StatusOr<ChosenFamily> chosenFamily(const Request& request) {
  SBP_ASSIGN_OR_RETURN(ChosenFamily chosen, readFamily(request.family));
  Shape& shape = chosen.shape;
  if ((request.chunks && shape.chunks) || (request.pairs && shape.pairs) ||
      (request.variant && shape.variant))
    return error("--family '{}' gives a value that an option gives too",
                 request.family);
  shape.depth = request.stages.value_or(kUsualStages);
  shape.microBatches = request.microBatches.value_or(kUsualMicroBatches);
  if (request.chunks) shape.chunks = request.chunks;
  if (request.pairs) shape.pairs = request.pairs;
  if (request.variant) shape.variant = request.variant;
  if (!request.workerOfStage.empty() && chosen.name != "list")
    return error("--stage-workers belongs to --family list; {} is given",
                 chosen.name);
  shape.workerOfStage = request.workerOfStage;
  return chosen;
}

absl::StatusOr<Table> tableOfRequest(const Request& request) {
  if (request.family.empty() == request.tablePath.empty())
    return error("a schedule is --family NAME or --table FILE; {} given",
                 request.family.empty() ? "neither is" : "both are");
  bool isRecomputed = request.isRecomputed;
  absl::StatusOr<Table> table;
  if (request.family.empty()) {
    table = readTable(request);
  } else {
    SBP_ASSIGN_OR_RETURN(const ChosenFamily chosen, chosenFamily(request));
    isRecomputed |= chosen.isRecomputed;
    table = tableOf(chosen.name, chosen.shape);
  }
  if (!table.ok()) return table;
  absl::Status found = check(*table);
  if (!found.ok() && !request.tablePath.empty())
    return error("{}: {}", request.tablePath, textOf(found));
  if (!found.ok()) return found;
  if (!isRecomputed) return table;
  return withRecomputation(*table, stagesThatGain(*table));
}

absl::StatusOr<Durations> durationsOf(const Request& request,
                                      const Table& table) {
  const size_t numStages = table.numStages;
  for (const auto& [option, values] :
       {std::pair("--forward", &request.forward),
        std::pair("--backward", &request.backward),
        std::pair("--input", &request.input),
        std::pair("--weight", &request.weight),
        std::pair("--recompute", &request.recompute),
        std::pair("--reduce", &request.reduce),
        std::pair("--update", &request.update)})
    if (values->size() > 1 && values->size() != numStages)
      return error(
          "{} has {} values for {} stages; one for all, or one for "
          "each, is needed",
          option, values->size(), numStages);
  Durations durations;
  durations.transfer = request.transfer;
  durations.latency = request.latency;
  for (size_t stage = 0; stage < numStages; ++stage) {
    auto at = [&](const std::vector<double>& values, double otherwise) {
      if (values.empty()) return otherwise;
      return values[values.size() == 1 ? 0 : stage];
    };
    StageTimes& times = durations.stages.emplace_back();
    times.forward = at(request.forward, 1);
    times.backward = at(request.backward, 2);
    // Each half takes half of the backward, or the rest of it if the other half
    // is given.
    const double half = times.backward / 2;
    times.input = at(request.input,
                     std::max(0.0, times.backward - at(request.weight, half)));
    times.weight =
        at(request.weight, std::max(0.0, times.backward - times.input));
    times.recompute = at(request.recompute, times.forward);
    times.reduce = at(request.reduce, 0);
    times.update = at(request.update, 0);
  }
  return durations;
}

/// Returns the number of steps after which the pipeline is full.
int64_t stepsUntilSteady(const Table& table) {
  return 2 + numOverlappedSteps(table);
}

/// Returns the duration of a step in a full pipeline: the additional makespan
/// of as many steps again, divided by their number.
double steadyStep(const Table& table, const Durations& durations) {
  const int64_t numSteps = stepsUntilSteady(table);
  auto makespan = [&](int64_t number) {
    const Table all = unrolled(table, number);
    return simulate(Dependencies(all), durations).makespan;
  };
  return (makespan(2 * numSteps) - makespan(numSteps)) /
         static_cast<double>(numSteps);
}

/// A table, its simulated run, and what follows from them.
struct TableRun {
  const Table& table;  // of one step
  const Dependencies& dependencies;
  const Simulation& simulation;
  int64_t numSteps;
  double steadyStep;
  Bounds bounds;
  std::vector<WorkerPeak> peaks;
  std::vector<std::vector<StageSlots>> slots;
  const std::optional<Synthesis>& synthesis;
  std::optional<ChimeraModel> model;
};

Json jsonOf(const TableRun& run) {
  const Simulation& simulation = run.simulation;
  const Table& all = run.dependencies.table();
  auto cell = [&](int64_t task) {
    return cellOf(all, run.dependencies.task(task));
  };
  Json json = {{"stages", run.table.numStages},
               {"workers", run.table.numWorkers()},
               {"microbatches", run.table.numMicroBatches},
               {"parts_per_microbatch", run.table.partsPerMicroBatch},
               {"steps", run.numSteps},
               {"makespan", simulation.makespan},
               {"bubble_ratio", simulation.bubble()},
               {"longest_chain", run.bounds.chain},
               {"busiest_worker", run.bounds.worker},
               {"lower_bound", run.bounds.best()}};
  if (run.numSteps > 1) json["steady_step"] = run.steadyStep;
  if (run.synthesis) json["synthesis"] = jsonOf(*run.synthesis);
  if (run.model)
    json["chimera_model"] = {{"makespan", run.model->makespan},
                             {"forwards", run.model->forwards},
                             {"backwards", run.model->backwards},
                             {"unoverlapped", run.model->unoverlapped}};
  Json& workers = json["per_worker"] = Json::array();
  for (int64_t worker = 0; worker < run.table.numWorkers(); ++worker) {
    Json slots = Json::array(), tasks = Json::array();
    for (const StageSlots& each : run.slots[worker])
      slots.push_back(
          {{"stage", each.stage},
           {"in_flight", each.inFlight},
           {"recomputed", each.recomputed},
           {"awaiting_weight_gradient", each.awaitingWeightGradient},
           {"weights", each.weights}});
    for (int64_t task = run.dependencies.firstOf(worker);
         task < run.dependencies.firstOf(worker + 1); ++task)
      tasks.push_back({{"task", cell(task)},
                       {"start", simulation.starts[task]},
                       {"end", simulation.ends[task]}});
    workers.push_back({{"worker", worker},
                       {"busy", simulation.busy[worker]},
                       {"bubble_ratio", simulation.bubbleOf(worker)},
                       {"peak_activations", run.peaks[worker].inFlight},
                       {"peak_recomputed", run.peaks[worker].recomputed},
                       {"slots", std::move(slots)},
                       {"tasks", std::move(tasks)}});
  }
  for (int64_t task : simulation.criticalPath)
    json["critical_path"].push_back(cell(task));
  return json;
}

std::string countOf(int64_t number, std::string_view noun,
                    std::string_view plural) {
  return fmt::format("{} {}", number, number == 1 ? noun : plural);
}

/// Returns the text of a time. A time is a sum of durations that the user gave,
/// so digits that are due to rounding are left out.
std::string numberOf(double value) { return fmt::format("{:.10g}", value); }

std::string pageOf(const TableRun& run) {
  const Simulation& simulation = run.simulation;
  const Table& table = run.table;
  std::string text = fmt::format(
      "{} on {}, {}", countOf(table.numStages, "stage", "stages"),
      countOf(table.numWorkers(), "worker", "workers"),
      countOf(table.numMicroBatches, "micro-batch", "micro-batches"));
  if (table.partsPerMicroBatch > 1)
    text += fmt::format(" of {} parts", table.partsPerMicroBatch);
  if (run.numSteps > 1) text += fmt::format(", {} steps", run.numSteps);
  text += "\n\n";
  if (const auto picture = pictureOf(run.dependencies, simulation))
    text += *picture + "\n";
  auto line = [&](std::string_view name, double value) {
    text += fmt::format("{:<18} {}\n", name, numberOf(value));
  };
  line("makespan", simulation.makespan);
  if (run.numSteps > 1) line("steady step", run.steadyStep);
  text += fmt::format("{:<18} {:.6g}\n", "bubble ratio", simulation.bubble());
  text += fmt::format("{:<18} {} (longest chain {}, busiest worker {})\n",
                      "lower bound", numberOf(run.bounds.best()),
                      numberOf(run.bounds.chain), numberOf(run.bounds.worker));
  if (run.synthesis) text += linesOf(*run.synthesis);
  if (run.model)
    text += fmt::format(
        "{:<18} {} (C_f = {}, C_b = {}, reductions that are not hidden {})\n",
        "Chimera's model", numberOf(run.model->makespan),
        numberOf(run.model->forwards), numberOf(run.model->backwards),
        numberOf(run.model->unoverlapped));
  text += "\n";
  text +=
      "worker       busy  bubble  peak activations  recomputed  weights  "
      "stages\n";
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker) {
    int64_t weights = 0;
    std::vector<int64_t> stages;
    for (const StageSlots& each : run.slots[worker]) {
      weights += each.weights;
      stages.push_back(each.stage);
    }
    const WorkerPeak& peak = run.peaks[worker];
    text +=
        fmt::format("{:>6} {:>10}  {:>6.3f}  {:>16}  {:>10}  {:>7}  {}\n",
                    worker, numberOf(simulation.busy[worker]),
                    simulation.bubbleOf(worker), numberOf(peak.inFlight),
                    numberOf(peak.recomputed), weights, fmt::join(stages, " "));
  }
  return text;
}

/// Returns Chimera's model, if micro-batches go through several pipes, forwards
/// and whole backwards alone.
std::optional<ChimeraModel> modelOf(const Table& table,
                                    const Durations& durations) {
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks)
      if ((task.kind != Kind::Forward && task.kind != Kind::Backward) ||
          task.stepOffset != 0)
        return std::nullopt;
  if (pipesOf(table).size() < 2) return std::nullopt;
  return chimeraModelOf(table, durations);
}

absl::Status writeTable(const Table& table, const std::string& path) {
  SBP_ASSIGN_OR_RETURN(file::OutputFile file, file::OutputFile::create(path));
  SBP_RETURN_IF_ERROR(file.write(csvOf(table)));
  return file.commit();
}

}  // namespace

absl::StatusOr<std::string> reportOf(const Request& request, Form form) {
  SBP_ASSIGN_OR_RETURN(Table table, tableOfRequest(request));
  SBP_ASSIGN_OR_RETURN(const Durations durations, durationsOf(request, table));
  if (!request.outputPath.empty())
    SBP_RETURN_IF_ERROR(file::checkWritable(request.outputPath));
  std::optional<Synthesis> synthesis;
  if (request.synthesis.isWanted) {
    SBP_ASSIGN_OR_RETURN(synthesis,
                         synthesise(request.synthesis, table, durations));
    table = *synthesis->found.order;
  }
  if (!request.outputPath.empty())
    SBP_RETURN_IF_ERROR(writeTable(table, request.outputPath));
  if (form == Form::Csv) return csvOf(table);
  const bool hasFlush = numOverlappedSteps(table) == 0;
  const int64_t numSteps =
      request.steps.value_or(hasFlush ? 1 : stepsUntilSteady(table));
  const int64_t most =
      numSteps == 1 ? 1 : std::max(numSteps, 2 * stepsUntilSteady(table));
  if (most > kMaxStageParts / table.numStages / table.numParts())
    return error(
        "{} steps of {} stages and {} micro-batches are too many; "
        "their product may be {}",
        most, table.numStages, table.numMicroBatches, kMaxStageParts);
  const Table all = unrolled(table, numSteps);
  const Dependencies dependencies(all);
  const Simulation simulation = simulate(dependencies, durations);
  const TableRun run = {table,
                        dependencies,
                        simulation,
                        numSteps,
                        numSteps > 1 ? steadyStep(table, durations) : 0,
                        boundsOf(dependencies, durations),
                        peaksOf(table),
                        slotsOf(table),
                        synthesis,
                        modelOf(table, durations)};
  return form == Form::Json ? jsonOf(run).dump(2) + "\n" : pageOf(run);
}

}  // namespace sbp::schedule::lab
