// The command `sbpc explain`, which explains a plan: its times, its memory, and
// its alternatives.

#ifndef CODEGEN_DRIVER_EXPLAIN_H_
#define CODEGEN_DRIVER_EXPLAIN_H_

#include <string>

#include "codegen/driver/ModelOptions.h"
#include "mlir/Support/LogicalResult.h"

namespace sbp {

/// The model and the content of its explanation. A model that is not placed yet
/// is placed by search.
struct ExplainOptions : ModelOptions {
  /// Whether to write one JSON object instead of text.
  bool isJson = false;
  /// Whether to write the text in full instead of one page.
  bool withDetails = false;
  /// Whether to search also for plans with less memory. This is always done for
  /// an HTML page, but never for a model that is placed already. An error for a
  /// model in stages.
  bool withFront = false;
  /// File for an HTML page, or empty. Not "-".
  std::string htmlPath;
  /// File for the predicted run of a model in stages, in Chrome's trace format,
  /// or empty. An error for a model without stages.
  std::string tracePath;
  /// File to which the search's problem is written for other solvers
  /// (passes/search/problem/Cfn.h), or empty. The problem is that of the entry
  /// for which a plan is searched first; it has no limit of memory. An error
  /// for a model that is placed already or is in stages.
  std::string problemPath;
};

/// Writes the explanation of a model's plan to standard output, and the files
/// that `options` name. If the model is placed already, its placements are the
/// plan; otherwise the search finds it. Fails after a diagnostic on standard
/// error, for example for a model in the local form.
mlir::LogicalResult explainModel(const ExplainOptions& options);

/// Runs `sbpc explain`, and returns its exit status. `argv[0]` is "explain";
/// `version` is printed for --version.
int explainMain(int argc, char** argv, const std::string& version);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLAIN_H_
