#include "CLI/CLI.hpp"
#include "codegen/driver/Explain.h"
#include "codegen/driver/ModelCommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {
namespace {

constexpr const char* kIntroduction =
    R"(sbpc explain says why a plan: per layer how each op lies and what it computes, what
moves between devices and how, what memory is for, and how little any plan could
take; and what else there is: strategies that have a name, and pins.

  sbpc explain gpt.mlir --machine cluster.mlir           what takes most, on a page
  sbpc explain gpt.mlir --machine cluster.mlir --details every op and movement
  sbpc explain gpt.mlir --machine cluster.mlir --json    for programs
  sbpc explain gpt.mlir -n 4 --html gpt.html             as a page to look at
  sbpc explain forms/3-placed.mlir                       a plan made by hand

Of a model in stages it says how long a step takes by its schedule, where groups of ranks
wait, what each task takes, what crosses between groups, and what memory is for.

Times are those of the model of the machine, not measured ones. Times and bytes are of
one run of an entry: of all calls of a function together, and of all steps that are
alike (4 x all_gather). So steps add up to their movement, and movements and ops to
their function.

The price of a pin is the time that the best plan with this one pin takes more than the
plan, both without a limit of memory. Where the plan is not proven to be the best without
such a limit, it is a lower bound, and said to be one. The placement of the optimiser's
state of a parameter is left free; in a model, sbp.pin of a parameter places its state
likewise, unless sbp.state_pin says otherwise, and that may take longer.
)";

}  // namespace

int explainMain(int argc, char** argv, const std::string& version) {
  ExplainOptions options;
  CLI::App app(kIntroduction, "sbpc explain");
  app.set_version_flag("--version", version, "Say which sbpc this is");
  addModelOptions(app,
                  "The model, in any form up to the boxed one; - reads it from "
                  "standard input",
                  /*without=*/{"goal", "place-by"}, options);
  app.add_flag("--details", options.withDetails,
               "Every op and movement, and lists in full");
  app.add_flag("--json", options.isJson,
               "One JSON object with all details, in place of text");
  app.add_flag("--front", options.withFront,
               "Also what time less memory costs: the fastest plan, and plans "
               "each with a fifth less");
  app.add_option(
         "--html", options.htmlPath,
         "Also a page to look at, in one file; it has what --front adds")
      ->type_name("FILE");
  app.add_option("--trace", options.tracePath,
                 "Also when each group of ranks does what, of a model in "
                 "stages, for ui.perfetto.dev: as programs write with --trace "
                 "what happened")
      ->type_name("FILE");
  app.add_option("--dump-problem", options.problemPath,
                 "Also the problem that the search solves for the entry that "
                 "trains, without a limit of memory, as a cost function "
                 "network in toulbar2's cfn format")
      ->type_name("FILE");
  if (auto status = parseCommandLine(app, argc, argv)) return *status;
  if (options.htmlPath == "-") {
    llvm::errs() << "error: --html: a page goes to a file; standard output has "
                    "the text or the JSON\n";
    return 1;
  }
  return mlir::failed(explainModel(options)) ? 1 : 0;
}

}  // namespace sbp
