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
  /// Name and version of the compiler, as the program states them.
  std::string compiler;
  /// Whether to print on standard error how long each part of the compilation
  /// takes.
  bool isVerbose = false;
  /// Whether to print a summary of the program on standard error at the end.
  bool hasSummary = false;
};

/// Compiles a model and writes the output. If it fails, it has printed a
/// diagnostic on standard error, and has left an earlier file at the output's
/// path as it was; forms on the way (CodeOutput::formsFolder) may be written.
mlir::LogicalResult compile(const CompileOptions& options);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_COMPILE_H_
