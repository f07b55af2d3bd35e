#include "passes/schedule/lab/Subcommand.h"

#include <string>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/options/Checks.h"
#include "runtime/options/Lists.h"

namespace sbp::schedule::lab {
namespace {

std::string footer() {
  std::string text = "\nFamilies:\n";
  for (const Family& family : families()) {
    text += fmt::format("  {:<14} {}", family.name, family.summary);
    if (!family.conditions.empty())
      text += fmt::format("; {}", family.conditions);
    if (!family.variants.empty())
      text += fmt::format("; variants: {}", fmt::join(family.variants, ", "));
    text += "\n";
  }
  return text + R"(
A table has a line per worker, of cells <stage><kind><micro-batch>: F forward,
B backward, I and W its halves for inputs and weights, R recomputation,
U update. An empty cell is an idle slot.

  0F0,0F1,,,0B0,,0B1
  ,1F0,1B0,1F1,1B1

With --synthesise the tasks of the family or table are ordered anew: exactly if
times are whole numbers and tasks are few, else by annealing. Bounds hold for
all orders that keep within the cap.

Examples:
  sbp-lab schedule --family chimera --stages 4 --micro-batches 4
  sbp-lab schedule --family 'chimera<variant = doubling, pairs = 2>' --stages 8
  sbp-lab schedule --family zb-h1 --forward 1 --input 1 --weight 1 --latency 0.1
  sbp-lab schedule --family 1f1b --csv > mine.csv; sbp-lab schedule --table mine.csv
  sbp-lab schedule --family chimera --synthesise --cap 5 --output best.csv
  sbp-lab schedule --family list --stages 2 --stage-workers 0,1,1,0 --synthesise
)";
}

void addShape(CLI::App& app, Request& request) {
  auto add = [&](const char* names, std::optional<int64_t>& value,
                 const std::string& text) {
    return app.add_option(names, value, text)
        ->type_name("N")
        ->check(options::integerFrom(1, kMaxStageParts));
  };
  app.add_option("--family", request.family,
                 "Family of schedules, one of those listed below")
      ->type_name("NAME");
  app.add_option("--table", request.tablePath,
                 "File with a table of your own, in the format shown below")
      ->type_name("FILE");
  add("--stages", request.stages,
      "D: number of workers of a family. Each has one stage or more, as the "
      "family decides")
      ->default_str(fmt::format("{}", kUsualStages));
  add("--micro-batches", request.microBatches,
      "N: number of micro-batches of a step")
      ->default_str(fmt::format("{}", kUsualMicroBatches));
  add("--chunks", request.chunks, "V: number of stages per worker")
      ->default_str("2");
  add("--pairs", request.pairs, "f: number of pairs of opposite pipes")
      ->default_str("1");
  app.add_option("--variant", request.variant,
                 "Variant of the family, if it has variants")
      ->type_name("NAME");
  options::addList(app, "--stage-workers", request.workerOfStage,
                   {',', 1, static_cast<size_t>(kMaxStageParts),
                    options::integerFrom(0, kMaxStageParts)},
                   "Worker of each stage, for the family list")
      ->default_str("stage s on worker s");
  app.add_flag("--with-recompute", request.isRecomputed,
               "Recompute each forward right before its backward");
  add("--steps", request.steps,
      "Number of steps to run (1; for a schedule without a flush, as many as "
      "fill the pipeline)");
}

void addTimes(CLI::App& app, Request& request) {
  auto add = [&](const char* name, std::vector<double>& values,
                 const std::string& text) {
    return options::addList(
        app, name, values,
        {',', 1, static_cast<size_t>(kMaxStageParts), options::notNegative()},
        text);
  };
  add("--forward", request.forward,
      "Time of a forward: one for all stages, or a list with one per stage. "
      "So are the other times of tasks");
  add("--backward", request.backward, "Time of a backward");
  add("--input", request.input, "Time of a backward of inputs")
      ->default_str("half of the backward");
  add("--weight", request.weight, "Time of a backward of weights")
      ->default_str("the rest of the backward");
  add("--recompute", request.recompute, "Time of a recomputation")
      ->default_str("as the forward");
  add("--reduce", request.reduce, "Time of a reduction of gradients");
  add("--update", request.update, "Time of an update");
  app.add_option(
         "--transfer", request.transfer,
         "Time for which a message occupies the link between two workers")
      ->type_name("FLOAT")
      ->check(options::notNegative())
      ->capture_default_str();
  app.add_option("--latency", request.latency,
                 "Time from then until the message has arrived")
      ->type_name("FLOAT")
      ->check(options::notNegative())
      ->capture_default_str();
}

void addSynthesis(CLI::App& app, SynthesisRequest& request) {
  CLI::Option* synthesise = app.add_flag(
      "--synthesise", request.isWanted,
      "Search for a faster order of the same tasks on the same workers, and "
      "for a bound of all orders");
  auto addList = [&](const char* name, std::vector<double>& values,
                     const std::string& text) {
    return options::addList(app, name, values,
                            {',', 1, static_cast<size_t>(kMaxStageParts),
                             options::notNegative()},
                            text)
        ->needs(synthesise);
  };
  addList("--cap", request.cap,
          "Memory that a worker may keep at once, such as a number of "
          "micro-batches: one for all workers, or a list with one per worker")
      ->default_str("the most that a worker keeps in the given order");
  addList("--stash", request.stash,
          "Memory that a worker keeps from the forward of a micro-batch to the "
          "end of its backward: one for all stages, or a list, in the unit of "
          "--cap");
  addList("--residue", request.residue,
          "Memory that a worker keeps from the backward of inputs of a "
          "micro-batch to that of weights, as --stash");
  auto addNumber = [&](const char* name, int64_t& value,
                       const std::string& text) {
    app.add_option(name, value, text)
        ->type_name("N")
        ->check(options::integerFrom(0))
        ->capture_default_str()
        ->needs(synthesise);
  };
  app.add_option("--seed", request.tuning.annealing.seed, "Seed of annealing")
      ->check(options::anyUnsigned())
      ->capture_default_str()
      ->needs(synthesise);
  addNumber("--evaluations", request.tuning.annealing.evaluations,
            "Number of orders that annealing times");
  addNumber("--states", request.tuning.maxStates,
            "Number of states that the exact search may visit. Each takes some "
            "10 microseconds and 300 bytes");
}

}  // namespace

CLI::App& addSubcommand(CLI::App& app, Options& options) {
  CLI::App& schedule = *app.add_subcommand(
      "schedule", "Time and memory of a pipeline's schedule, drawn as a table");
  schedule.footer(footer());
  addShape(schedule, options.request);
  addTimes(schedule, options.request);
  addSynthesis(schedule, options.request.synthesis);
  schedule
      .add_option("--output", options.request.outputPath,
                  "File to which the table is written, too")
      ->type_name("FILE");
  schedule.add_flag("--csv", options.wantsCsv, "Print the table alone");
  return schedule;
}

}  // namespace sbp::schedule::lab
