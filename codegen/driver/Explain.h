// The command `sbpc explain`: why a plan, and what it takes.

#ifndef CODEGEN_DRIVER_EXPLAIN_H_
#define CODEGEN_DRIVER_EXPLAIN_H_

#include <string>

#include "codegen/driver/ModelOptions.h"
#include "mlir/Support/LogicalResult.h"

namespace sbp {

/// The model is always placed by search.
struct ExplainOptions : ModelOptions {
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
