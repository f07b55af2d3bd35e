// The command `sbpc check-ops`: tests by running them whether ops keep what
// they declare (codegen/check).

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

/// Checks each op of the model, once for all ops of one name and equal
/// attributes, and each op of the plug-ins that the model does not have. Writes
/// a line for each to standard output, or one JSON object. Fails after an error
/// at each op that does not keep what it declares or cannot be checked, and if
/// there is nothing to check.
LogicalResult checkOps(const CheckOpsOptions& options);

/// Runs `sbpc check-ops`, and returns its exit status. `argv[0]` is
/// "check-ops"; `version` is printed for --version.
int checkOpsMain(int argc, char** argv, const std::string& version);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CHECKOPS_H_
