#include "CLI/CLI.hpp"
#include "codegen/driver/Explain.h"
#include "llvm/Support/raw_ostream.h"
#include "runtime/options/Checks.h"
#include "runtime/plan/Check.h"

namespace sbp {
namespace {

constexpr const char* kIntroduction =
    R"(sbpc explain says why a plan: per layer how each op lies and what it computes, what
moves between devices and how, what stays in memory, and how little any plan could
take.

  sbpc explain gpt.mlir --machine cluster.mlir          as text
  sbpc explain gpt.mlir --machine cluster.mlir --json   for programs
  sbpc explain forms/3-placed.mlir                      a plan made by hand

Times are those of the model of the machine, not measured ones.
)";

}  // namespace

int explainMain(int argc, char** argv) {
  ExplainOptions options;
  CLI::App app(kIntroduction, "sbpc explain");
  app.add_option("model", options.source.path,
                 "The model, in any form up to the boxed one; - reads it from "
                 "standard input")
      ->type_name("FILE")
      ->required();
  app.add_option("-n,--ranks", options.source.numRanks,
                 "How many ranks; without a machine, that many on this host "
                 "(1)")
      ->type_name("N")
      ->check(options::integerFrom(1, plan::kMaxRanks));
  app.add_option("--machine", options.source.machinePath,
                 "A file that defines the machine")
      ->type_name("FILE");
  app.add_option("--mesh", options.mesh,
                 "The sbp.mesh or sbp.machine to place on, when there are "
                 "several")
      ->type_name("NAME");
  app.add_option("--load-dialect-plugin", options.dialectPlugins,
                 "A shared library that brings dialects of its own")
      ->type_name("FILE");
  app.add_flag("--json", options.isJson, "One JSON object in place of text");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::Error& error) {
    llvm::errs() << "error: " << options::messageOf(error) << "\n";
    return 1;
  }
  return mlir::failed(explainModel(options)) ? 1 : 0;
}

}  // namespace sbp
