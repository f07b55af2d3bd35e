// The command `sbpc check-ops`: tests, by running ops, whether what the ops
// declare is true (codegen/check).

#ifndef CODEGEN_DRIVER_CHECKOPS_H_
#define CODEGEN_DRIVER_CHECKOPS_H_

#include <string>
#include <vector>

#include "dialects/support/LLVM.h"

namespace sbp {

/// Options of `sbpc check-ops`.
struct CheckOpsOptions {
  /// File with a model whose ops are checked, or empty; "-" is standard input.
  std::string modelPath;
  /// Shared libraries with further dialects, whose ops are checked.
  std::vector<std::string> dialectPlugins;
  /// Names of the ops to check; empty: all.
  std::vector<std::string> ops;
  bool isJson = false;
};

/// Checks the ops of the model, and those ops of the plug-ins that do not occur
/// in the model. Of several ops of the model with the same name and equal
/// attributes, checks the first. Writes a line for each checked op to standard
/// output, or one JSON object for all. Reports an error for each op that does
/// not keep what it declares or that cannot be checked. Fails, after all ops
/// have been checked, if there was such an error. Also fails if the options
/// name an op that is not there, or if there is nothing to check.
LogicalResult checkOps(const CheckOpsOptions& options);

/// Runs `sbpc check-ops`, and returns its exit status. `argv[0]` is
/// "check-ops"; `version` is printed for --version.
int checkOpsMain(int argc, char** argv, const std::string& version);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CHECKOPS_H_
