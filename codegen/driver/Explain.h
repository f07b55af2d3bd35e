// The command `sbpc explain`: why a plan, and what it takes.

#ifndef CODEGEN_DRIVER_EXPLAIN_H_
#define CODEGEN_DRIVER_EXPLAIN_H_

#include <string>
#include <vector>

#include "codegen/driver/Backend.h"
#include "codegen/driver/CutModel.h"
#include "codegen/driver/LoadModel.h"
#include "mlir/Support/LogicalResult.h"
#include "passes/Pipelines.h"

namespace sbp {

struct ExplainOptions {
  ModelSource source;
  /// How the model is placed; always by search.
  PipelineOptions pipeline;
  StageNumbers cut;
  std::vector<std::string> dialectPlugins;
  /// What kernels are made for: they need memory.
  BackendOptions backend;
  /// One JSON object in place of text.
  bool isJson = false;
  /// Text in full, in place of a page.
  bool withDetails = false;
  /// Also looks for plans with less memory, as it does for a page.
  bool withFront = false;
  /// A file that gets a page to look at, or empty.
  std::string htmlPath;
  /// A file that gets what is predicted of a model in stages, in Chrome's trace
  /// format, or empty.
  std::string tracePath;
  /// A file that gets the problem of placing the first entry, for other solvers
  /// (passes/search/Cfn.h), or empty.
  std::string problemPath;
};

/// Writes the explanation of the plan for a model to standard output: of the
/// one that the search finds, or of the model's own if it is placed already.
/// Fails after a diagnostic on standard error.
mlir::LogicalResult explainModel(const ExplainOptions& options);

/// The main function of `sbpc explain`; `argv[0]` is "explain", `version` what
/// it answers to --version.
int explainMain(int argc, char** argv, const std::string& version);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLAIN_H_
