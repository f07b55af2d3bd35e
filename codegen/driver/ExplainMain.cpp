#include "CLI/CLI.hpp"
#include "codegen/driver/Explain.h"
#include "codegen/driver/ModelCommandLine.h"
#include "dialects/text/People.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {
namespace {

constexpr const char* kIntroduction =
    R"(sbpc explain describes the plan that sbpc chooses: for each layer the placement and
time of ops, the movements of tensors between devices, the use of memory, and a lower
bound of the time of any plan. It compares the plan with strategies that have a name
(data parallelism, Megatron, ...), and with plans in which one tensor is pinned.

  sbpc explain gpt.mlir --machine cluster.mlir           the ops that take most time
  sbpc explain gpt.mlir --machine cluster.mlir --details every op and movement, and
                                                         the signatures of ops
  sbpc explain gpt.mlir --machine cluster.mlir --json    the same for programs
  sbpc explain gpt.mlir -n 4 --html gpt.html             an interactive page
  sbpc explain forms/3-placed.mlir                       a plan made by hand

For a model in stages it prints the time of a step by its schedule, the idle time of each
group of ranks, the time of each task, the tensors sent between groups, and the use of
memory.

Times are computed from the machine's prices, not measured. Times and bytes are those of
one run of an entry: all calls of a function are added up, and so are equal steps
(4 x all_gather). So the steps of a movement add up to the movement, and movements and
ops to their function.

The price of a pin is the time that the best plan with this one pin takes more than the
plan, both without a limit of memory. Where the plan is not proven to be the best without
such a limit, it is a lower bound, and said to be one. The placement of the optimiser's
state of a parameter is left free. In a model, sbp.pin of a parameter places its state
in the same way, unless sbp.state_pin gives another placement, which may take longer.
Pins of signatures (sbp.signature) hold in all these plans, and have no price of their own.
)";

}  // namespace

int explainMain(int argc, char** argv, const std::string& version) {
  ExplainOptions options;
  constexpr char kOutput[] = "Output";
  CLI::App app(kIntroduction, "sbpc explain");
  app.set_version_flag("--version", version, "Print the version and exit");
  addModelOptions(app,
                  "The model in any form up to the boxed one; - reads it from "
                  "standard input",
                  /*without=*/{"goal", "place-by"}, options);
  app.add_flag("--details", options.withDetails,
               "List every op and movement, print all lists in full, and list "
               "the signatures of ops with their times")
      ->group(kOutput);
  app.add_flag("--json", options.isJson,
               "Print one JSON object with all details instead of the text")
      ->group(kOutput);
  app.add_flag("--front", options.withFront,
               "Also print the time of plans with less memory: of the fastest "
               "plan, and of further plans, each within a fifth less memory "
               "than the one before")
      ->group(kOutput);
  app.add_option(
         "--html", options.htmlPath,
         "Also write an interactive page, as one file; it includes what "
         "--front adds")
      ->type_name("FILE")
      ->group(kOutput);
  app.add_option("--trace", options.tracePath,
                 "Also write the predicted timeline of each group of ranks, "
                 "for a model in stages; ui.perfetto.dev shows it. The --trace "
                 "of a program writes the measured one")
      ->type_name("FILE")
      ->group(kOutput);
  app.add_option("--dump-problem", options.problemPath,
                 "Also write the problem that the search solves for the entry "
                 "that trains, without a limit of memory, as a cost function "
                 "network in toulbar2's cfn format")
      ->type_name("FILE")
      ->group(kOutput);
  if (auto status = parseCommandLine(app, argc, argv)) return *status;
  if (options.htmlPath == "-") {
    peopleErr() << "error: --html: a page goes to a file; standard output has "
                   "the text or the JSON\n";
    return 1;
  }
  return mlir::failed(explainModel(options)) ? 1 : 0;
}

}  // namespace sbp
