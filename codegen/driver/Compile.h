// The compiler as one function: from a model to any form, or to a program.

#ifndef CODEGEN_DRIVER_COMPILE_H_
#define CODEGEN_DRIVER_COMPILE_H_

#include <string>

#include "codegen/driver/CodeOutput.h"
#include "codegen/driver/ModelOptions.h"
#include "mlir/Support/LogicalResult.h"

namespace sbp {

struct CompileOptions : ModelOptions {
  CodeOutput output;
  /// Which compiler the program is to name as its own.
  std::string compiler;
  /// Says on standard error what takes how long.
  bool isVerbose = false;
  /// Says on standard error, at the end, what program has been made.
  bool hasSummary = false;
};

/// Compiles a model. Fails after a diagnostic on standard error; then no output
/// has been written.
mlir::LogicalResult compile(const CompileOptions& options);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_COMPILE_H_
