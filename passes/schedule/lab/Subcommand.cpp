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

Examples:
  sbp-lab schedule --family chimera --stages 4 --microbatches 4
  sbp-lab schedule --family 'chimera<variant = doubling, pairs = 2>' --stages 8
  sbp-lab schedule --family zb-h1 --forward 1 --input 1 --weight 1 --latency 0.1
  sbp-lab schedule --family 1f1b --csv > mine.csv; sbp-lab schedule --table mine.csv
)";
}

void addShape(CLI::App& app, Request& request) {
  auto add = [&](const char* names, std::optional<int64_t>& value,
                 const std::string& text) {
    return app.add_option(names, value, text)
        ->check(options::integerFrom(1, kMostPieces));
  };
  app.add_option("--family", request.family, "A family of schedules, see below")
      ->type_name("NAME");
  app.add_option("--table", request.tablePath, "A table of your own, see below")
      ->type_name("FILE");
  add("--stages", request.stages,
      "D: workers of a family, each with a stage or with more, as the family "
      "has it")
      ->default_str(fmt::format("{}", kUsualStages));
  add("--microbatches,--micro-batches", request.microBatches,
      "N: parts of the batch of a step")
      ->default_str(fmt::format("{}", kUsualMicroBatches));
  add("--chunks", request.chunks, "V: stages per worker")->default_str("2");
  add("--pairs", request.pairs, "f: pairs of opposite pipes")->default_str("1");
  app.add_option("--variant", request.variant, "Of a family that has some")
      ->type_name("NAME");
  app.add_flag("--with-recompute", request.isRecomputed,
               "Recomputes each forward right before its backward");
  add("--steps", request.steps,
      "Steps to run; without a flush, so many that the pipeline is full, "
      "unless given");
}

void addTimes(CLI::App& app, Request& request) {
  auto add = [&](const char* name, std::vector<double>& values,
                 const std::string& text) {
    return options::addList(
        app, name, values,
        {',', 1, static_cast<size_t>(kMostPieces), options::notNegative()},
        text);
  };
  add("--forward", request.forward,
      "Time of a forward: of any stage, or a list, one per stage");
  add("--backward", request.backward, "The same of a backward");
  add("--input", request.input, "Of the half for inputs")
      ->default_str("half of the backward");
  add("--weight", request.weight, "Of the half for weights")
      ->default_str("the rest of the backward");
  add("--recompute", request.recompute, "Of a recomputation")
      ->default_str("as the forward");
  add("--reduce", request.reduce, "Of a reduction of gradients");
  add("--update", request.update, "Of an update");
  app.add_option(
         "--transfer", request.transfer,
         "Time that a message keeps the link from its worker to another "
         "one busy")
      ->check(options::notNegative())
      ->capture_default_str();
  app.add_option("--latency", request.latency,
                 "Time from a worker to another one, behind that")
      ->check(options::notNegative())
      ->capture_default_str();
}

}  // namespace

CLI::App& addSubcommand(CLI::App& app, Options& options) {
  CLI::App& schedule = *app.add_subcommand(
      "schedule", "A schedule of a pipeline: how long it takes, what it holds");
  schedule.footer(footer());
  addShape(schedule, options.request);
  addTimes(schedule, options.request);
  schedule.add_flag("--csv", options.wantsCsv, "Prints the table alone");
  return schedule;
}

}  // namespace sbp::schedule::lab
