// The command `sbpc diff`, which compares two planned programs.

#ifndef CODEGEN_DRIVER_DIFF_H_
#define CODEGEN_DRIVER_DIFF_H_

#include <string>

#include "codegen/driver/ModelOptions.h"
#include "mlir/Support/LogicalResult.h"

namespace sbp {

/// Two models. All options but the path of the second one are those of both.
struct DiffOptions : ModelOptions {
  std::string otherPath;
  /// Whether to write one JSON object instead of text.
  bool isJson = false;
  /// Whether to list all differences instead of a page of them.
  bool withDetails = false;
};

/// Writes the differences of the plans of two models to standard output. A
/// model that is not placed is placed by search. Fails after a diagnostic on
/// standard error, for example for a model in the local form.
mlir::LogicalResult diffModels(const DiffOptions& options);

/// Runs `sbpc diff`, and returns its exit status: 0 also if the plans differ.
/// `argv[0]` is "diff"; `version` is printed for --version.
int diffMain(int argc, char** argv, const std::string& version);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_DIFF_H_
