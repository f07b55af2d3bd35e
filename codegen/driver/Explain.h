// The command `sbpc explain`, which explains a plan: its times, its memory, and
// its alternatives.

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
  /// Whether to write the text in full, in place of one page.
  bool withDetails = false;
  /// Whether to search plans with less memory as well; always for an HTML page.
  bool withFront = false;
  /// File for an HTML page, or empty.
  std::string htmlPath;
  /// File for the predicted run of a model in stages, in Chrome's trace format,
  /// or empty.
  std::string tracePath;
  /// File for the placement problem of the first entry, for other solvers
  /// (passes/search/Cfn.h), or empty.
  std::string problemPath;
};

/// Writes the explanation of a model's plan to standard output. The plan is the
/// one that the search finds, or the model's own if it is placed already. Fails
/// after a diagnostic on standard error.
mlir::LogicalResult explainModel(const ExplainOptions& options);

/// Runs `sbpc explain`, and returns its exit status. `argv[0]` is "explain";
/// `version` is printed for --version.
int explainMain(int argc, char** argv, const std::string& version);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLAIN_H_
