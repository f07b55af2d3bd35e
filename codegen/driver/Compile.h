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
  /// Whether to print on standard error how long each part of the compilation
  /// takes.
  bool isVerbose = false;
  /// Whether to print a summary of the program on standard error at the end.
  bool hasSummary = false;
};

/// Compiles a model. If it fails, it has printed a diagnostic on standard error
/// and written no output.
mlir::LogicalResult compile(const CompileOptions& options);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_COMPILE_H_
