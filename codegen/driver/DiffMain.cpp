#include "CLI/CLI.hpp"
#include "codegen/driver/Diff.h"
#include "codegen/driver/ModelCommandLine.h"
#include "dialects/text/People.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {
namespace {

constexpr const char* kIntroduction =
    R"(sbpc diff compares two planned programs: their pipelines (groups, stages, micro-batches,
schedule), the units of each stage, placements of parameters and tensors, the predicted
time of a step with its parts, and memory at the peak.

A plan is a text: what sbpc --emit logical writes has the pipeline and pins, and
--emit placed also the placement of every tensor. It can be kept, edited and given back.

  sbpc gpt.mlir --machine m.mlir --plan --emit logical -o plan.mlir
  cp plan.mlir edited.mlir                     edit: another schedule, stage or pin
  sbpc diff plan.mlir edited.mlir              what the change costs
  sbpc edited.mlir -o gpt                      the program of the edited plan
  sbpc diff before.mlir after.mlir --json      the same for programs
  sbpc diff gpt.mlir plan.mlir --machine m.mlir
                                               what the plan gains over no pipeline

Of a model that is not placed, sbpc searches the placements, as it does when it compiles
the model. All options hold for both models. Like tensors share a line:

  12 x @layer*.query: [S(0)] -> [S(1)]         12 parameters whose names differ in numbers
  3 x %hidden, %active, %next in @layer: ...   tensors of a layer

"-" stands for a tensor that one of the programs does not have. The exit status is 0 if
both models are read and planned, whether they differ or not, and 1 after an error.
)";

}  // namespace

int diffMain(int argc, char** argv, const std::string& version) {
  DiffOptions options;
  constexpr char kOutput[] = "Output";
  CLI::App app(kIntroduction, "sbpc diff");
  app.set_version_flag("--version", version, "Print the version and exit");
  addModelOptions(app,
                  "The first model, A, in any form up to the boxed one; - "
                  "reads it from standard input",
                  /*without=*/{"goal", "place-by"}, options);
  app.add_option("other", options.otherPath, "The second model, B")
      ->type_name("FILE")
      ->required();
  app.add_flag("--details", options.withDetails,
               "List all tensors whose placements differ")
      ->group(kOutput);
  app.add_flag("--json", options.isJson,
               "Print one JSON object with both plans and their differences "
               "instead of the text")
      ->group(kOutput);
  if (auto status = parseCommandLine(app, argc, argv)) return *status;
  if (options.source.path == "-" && options.otherPath == "-") {
    peopleErr() << "error: only one of the two models can be read from "
                   "standard input\n";
    return 1;
  }
  return mlir::failed(diffModels(options)) ? 1 : 0;
}

}  // namespace sbp
