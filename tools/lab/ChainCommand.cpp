#include "tools/lab/ChainCommand.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "passes/schedule/Csv.h"
#include "passes/search/allocation/ChainFiles.h"
#include "passes/search/allocation/ChainProblem.h"
#include "passes/search/allocation/ContiguousCut.h"
#include "passes/search/allocation/PatternTable.h"
#include "passes/search/allocation/SearchAllocation.h"
#include "passes/search/run/Interruption.h"
#include "passes/search/run/ProgressLine.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/file/MappedFile.h"
#include "runtime/file/OutputFile.h"
#include "runtime/options/Checks.h"
#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"

namespace sbp::search::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kFooter[] = R"(
The layers of a network are a chain; each gets one of P equal processors, which
need not have neighbouring layers only. Micro-batches follow each other with a
constant period, as in MadPipe's model: 3 bytes per byte of weights, the
activations of all micro-batches in flight, and buffers for messages. The report
has the periods of

  PipeDream    the cut that balances times alone, and its period within memory
  contiguous   the best allocation of one run of layers per processor; exact
  MadPipe-DP   the allocation with one processor of several stages: the period
               that the paper's first phase promises, and that of its schedule
  best         the best allocation that was found, and its schedule
  bound        no allocation has a shorter period

FILE is a profile of PipeDream (nodes and edges), or JSON in milliseconds and
megabytes, or a table of layers in CSV with the columns pos, fwd_ms, bwd_ms,
cut_bytes_after, weight_bytes and act_bytes:

  {"uF": [8, 2], "uB": [16, 4], "W": [5, 3], "a": [19, 7, 14]}

a[0] is the input, a[l] the output of layer l. A list of such objects needs
--instance; an object may also have P, M (megabytes) and beta (megabytes per
millisecond). Ctrl-C ends the search, and prints the best so far.

Examples:
  sbp-lab chain graph.txt --processors 4 --memory 10GB
  sbp-lab chain chain.json -P 8 --memory 8GB --bandwidth 24GB --json
  sbp-lab chain chain.json -P 4 --memory 8GB --table best.csv --with-links
  sbp-lab schedule --table best.csv --forward ... --backward ...
)";

/// Returns a time in milliseconds, without digits that are due to rounding.
std::string timeOf(double milliseconds) {
  return fmt::format("{:.7g} ms", milliseconds);
}

absl::StatusOr<ChainProblem> problemOf(const ChainRequest& request) {
  if (request.path.empty()) return error("which FILE has the chain?");
  SBP_ASSIGN_OR_RETURN(const file::MappedFile file,
                       file::MappedFile::open(request.path));
  absl::StatusOr<ChainFile> read = readChain(file.bytes(), request.instance);
  SBP_RETURN_IF_ERROR(file.checkWhole());
  if (!read.ok()) return error("{}: {}", request.path, textOf(read.status()));
  const std::optional<int64_t> processors =
      request.processors ? request.processors : read->processors;
  if (!processors)
    return error(
        "{} does not say how many processors there are; --processors "
        "does",
        request.path);
  const std::optional<double> memory =
      request.memoryBytes ? request.memoryBytes : read->memory;
  if (!memory)
    return error(
        "{} does not say how much memory a processor has; --memory "
        "does",
        request.path);
  ChainProblem problem;
  problem.chain = std::move(read->chain);
  problem.processors = *processors;
  problem.memory = *memory;
  problem.bandwidth = request.bytesPerSecond
                          ? *request.bytesPerSecond / 1e3
                          : read->bandwidth.value_or(kUsualBandwidth / 1e3);
  if (const absl::Status sound = problem.check(); !sound.ok())
    return error("{}: {}", request.path, textOf(sound));
  return problem;
}

/// Returns the least bytes per processor for which a contiguous allocation
/// exists, to one part in a thousand.
double leastContiguousMemory(const ChainProblem& problem) {
  ChainProblem tried = problem;
  auto fits = [&](double memory) {
    tried.memory = memory;
    return bestContiguous(StageCosts(tried)).has_value();
  };
  double low = problem.memory, high = 2 * problem.memory;
  while (!fits(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1e-3 * high) {
    const double middle = (low + high) / 2;
    (fits(middle) ? high : low) = middle;
  }
  return high;
}

absl::Status nothingFits(const ChainProblem& problem,
                         const AllocationAnswer& answer, const SearchRun& run) {
  const bool isProven = std::isinf(answer.bound);
  std::string text = fmt::format(
      "{} of {} on {}, {}", isProven ? "no allocation" : "no allocation found",
      text::counted(problem.chain.numLayers(), "layer"),
      text::counted(problem.processors, "processor"),
      isProven ? "whatever the period," : "in this search,");
  text += fmt::format(
      " needs at most {} per processor; a contiguous one exists "
      "from {} on",
      bytes::toText(problem.memory),
      bytes::toText(leastContiguousMemory(problem)));
  if (const auto limit = run.endedBy())
    text += fmt::format("; the search was ended by {}", *limit);
  return error("{}", text);
}

Json stagesOf(const Allocation& allocation) {
  Json stages = Json::array();
  for (const auto& [begin, end, processor] : allocation)
    stages.push_back({{"first_layer", begin},
                      {"last_layer", end - 1},
                      {"processor", processor}});
  return stages;
}

Json jsonOf(const std::optional<Pattern>& pattern) {
  if (!pattern) return nullptr;
  return {{"period_ms", pattern->period},
          {"stages", stagesOf(pattern->allocation)}};
}

Json jsonOf(const ChainProblem& problem, const AllocationAnswer& answer,
            const PatternCost& cost, const SearchRun& run) {
  Json json = {{"layers", problem.chain.numLayers()},
               {"processors", problem.processors},
               {"memory_bytes", problem.memory},
               {"bandwidth_bytes_per_second", 1e3 * problem.bandwidth},
               {"pipedream",
                {{"promised_ms", answer.pipeDreamPeriod},
                 {"within_memory", jsonOf(answer.pipeDream)}}},
               {"contiguous", jsonOf(answer.contiguous)},
               {"madpipe_dp",
                {{"promised_ms",
                  answer.madPipePeriod ? Json(*answer.madPipePeriod) : Json()},
                 {"scheduled", jsonOf(answer.madPipe)}}},
               {"best", jsonOf(answer.best)},
               {"bound_ms", answer.bound},
               {"proven", answer.isProven()}};
  json["best"]["bytes"] = cost.bytes;
  if (const auto limit = run.endedBy()) json["ended_by"] = *limit;
  return json;
}

/// Returns the layers of each processor: "0-3 9".
std::string layersOf(const Allocation& allocation, int64_t processor) {
  std::vector<std::string> runs;
  for (const auto& [begin, end, on] : allocation) {
    if (on != processor) continue;
    runs.push_back(end - begin == 1 ? fmt::format("{}", begin)
                                    : fmt::format("{}-{}", begin, end - 1));
  }
  return fmt::format("{}", fmt::join(runs, " "));
}

std::string pageOf(const ChainProblem& problem, const AllocationAnswer& answer,
                   const PatternCost& cost, const SearchRun& run) {
  const StageCosts costs(problem);
  const Pattern& best = *answer.best;
  std::string text = fmt::format(
      "{}, {} in all, on {} of {}, links of {}/s\n\n",
      text::counted(problem.chain.numLayers(), "layer"),
      timeOf(costs.wholeLoad()), text::counted(problem.processors, "processor"),
      bytes::toText(problem.memory), bytes::toText(1e3 * problem.bandwidth));
  auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<12} {}\n", name, value);
  };
  auto periodOf = [](const std::optional<Pattern>& pattern) {
    return pattern ? timeOf(pattern->period) : "never fits";
  };
  line("PipeDream",
       fmt::format("{}; within the memory: {}", timeOf(answer.pipeDreamPeriod),
                   periodOf(answer.pipeDream)));
  line("contiguous", periodOf(answer.contiguous));
  if (answer.madPipePeriod)
    line("MadPipe-DP",
         fmt::format("{} promised; scheduled: {}",
                     timeOf(*answer.madPipePeriod), periodOf(answer.madPipe)));
  else
    line("MadPipe-DP", "no allocation was found");
  line("best", timeOf(best.period));
  if (answer.isProven())
    line("bound", timeOf(answer.bound) + ": the best is proven");
  else
    line("bound", fmt::format("{}: the best is at most {:.2g} % longer",
                              timeOf(answer.bound),
                              100 * (best.period / answer.bound - 1)));
  text += "\nprocessor    busy      memory  layers\n";
  for (int64_t processor = 0; processor < problem.processors; ++processor) {
    double load = 0;
    for (const auto& [begin, end, on] : best.allocation)
      if (on == processor) load += costs.load(begin, end);
    if (load == 0 && cost.bytes[processor] == 0) continue;
    text += fmt::format("{:>9} {:>5.1f} % {:>11}  {}\n", processor,
                        100 * load / best.period,
                        bytes::toText(cost.bytes[processor]),
                        layersOf(best.allocation, processor));
  }
  if (const auto limit = run.endedBy())
    text += fmt::format("\nThe search was ended by {}.\n", *limit);
  return text;
}

/// Writes the table of `pattern`. Returns the command line that runs it.
absl::StatusOr<std::string> writeTable(const ChainRequest& request,
                                       const StageCosts& costs,
                                       const Pattern& pattern) {
  const PatternTable made =
      tableOfPattern(costs, pattern,
                     request.wantsLinks ? TableWorkers::kProcessorsAndLinks
                                        : TableWorkers::kProcessors);
  const schedule::Table table =
      request.microBatches ? flushedTable(made.table, *request.microBatches)
                           : made.table;
  SBP_ASSIGN_OR_RETURN(file::OutputFile file,
                       file::OutputFile::create(request.tablePath));
  SBP_RETURN_IF_ERROR(file.write(schedule::csvOf(table)));
  SBP_RETURN_IF_ERROR(file.commit());
  return fmt::format(
      "sbp-lab schedule --table {} --forward {:.7g} --backward {:.7g}",
      request.tablePath, fmt::join(made.forward, ","),
      fmt::join(made.backward, ","));
}

}  // namespace

CLI::App& addChainCommand(CLI::App& app, ChainRequest& request) {
  CLI::App& chain = *app.add_subcommand(
      "chain",
      "The best allocation of a chain of layers with measured costs to "
      "processors, and its periodic schedule");
  chain.footer(kFooter);
  chain.add_option("file", request.path, "File with the chain, as shown below")
      ->type_name("FILE");
  chain
      .add_option("-P,--processors", request.processors,
                  "Number of processors (the P of the file)")
      ->type_name("N")
      ->check(options::integerFrom(1, kMaxProcessors));
  chain
      .add_option("-M,--memory", request.memoryBytes,
                  "Memory of a processor, such as 8GB (the M of the file)")
      ->type_name("BYTES")
      ->transform(options::bytes());
  chain
      .add_option("--bandwidth", request.bytesPerSecond,
                  "Bytes per second of the link between two processors (the "
                  "beta of the file, or 12GB)")
      ->type_name("BYTES")
      ->transform(options::bytes());
  chain
      .add_option("--instance", request.instance,
                  "Number of the chain in a file with several, from 0")
      ->type_name("N")
      ->check(options::integerFrom(0));
  chain
      .add_option("--search-seconds", request.seconds,
                  "Seconds after which the search ends with what it has")
      ->type_name("SECONDS")
      ->check(options::positive())
      ->capture_default_str();
  CLI::Option* table =
      chain
          .add_option("--table", request.tablePath,
                      "File to write the best schedule to, as a table that "
                      "sbp-lab schedule reads")
          ->type_name("FILE");
  chain
      .add_flag("--with-links", request.wantsLinks,
                "Links are workers of the table, too: transfers are stages, "
                "and a step takes exactly the period")
      ->needs(table);
  chain
      .add_option("--micro-batches", request.microBatches,
                  "Write the table of a step of N micro-batches that ends with "
                  "a flush, instead of the periodic one")
      ->type_name("N")
      ->check(options::integerFrom(1, schedule::kMaxStageParts))
      ->needs(table);
  return chain;
}

absl::StatusOr<std::string> chainReport(const ChainRequest& request,
                                        bool isJson) {
  SBP_ASSIGN_OR_RETURN(const ChainProblem problem, problemOf(request));
  if (!request.tablePath.empty())
    SBP_RETURN_IF_ERROR(file::checkWritable(request.tablePath));
  ProgressLine progress;
  const Interruption interruption;
  SearchLimits limits;
  limits.seconds = request.seconds;
  limits.isInterrupted = Interruption::hasCome;
  const SearchRun run(limits, &progress);
  run.beginEntry("chain");
  const AllocationAnswer answer =
      searchAllocation(problem, AllocationTuning(), run);
  progress.clear();
  if (!answer.best) return nothingFits(problem, answer, run);
  SBP_ASSIGN_OR_RETURN(const PatternCost cost, problem.verify(*answer.best));
  std::string command;
  if (!request.tablePath.empty()) {
    SBP_ASSIGN_OR_RETURN(
        command, writeTable(request, StageCosts(problem), *answer.best));
  }
  if (isJson) {
    Json json = jsonOf(problem, answer, cost, run);
    if (!command.empty()) json["table_command"] = command;
    return json.dump(2) + "\n";
  }
  std::string page = pageOf(problem, answer, cost, run);
  if (!command.empty()) page += "\n" + command + "\n";
  return page;
}

}  // namespace sbp::search::lab
