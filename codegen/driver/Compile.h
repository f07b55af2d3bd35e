// The compiler as one function: from a model to any form, or to a program.

#ifndef CODEGEN_DRIVER_COMPILE_H_
#define CODEGEN_DRIVER_COMPILE_H_

#include <string>

#include "codegen/driver/CodeOutput.h"
#include "codegen/driver/ModelOptions.h"
#include "mlir/Support/LogicalResult.h"

namespace sbp {

/// A model, and what to make of it.
struct CompileOptions : ModelOptions {
  CodeOutput output;
  /// Name and version of the compiler, which are written into the plan.
  std::string compiler;
  /// Whether to print on standard error how long each part of the compilation
  /// takes.
  bool isVerbose = false;
  /// Whether to print a summary (Summary.h) on standard error at the end, if
  /// the output is a program.
  bool hasSummary = false;
};

/// Compiles a model and writes the output. Fails after a diagnostic on standard
/// error, and then leaves an earlier file at the output's path unchanged. Forms
/// on the way to the output (CodeOutput::formsFolder) may be written even then.
mlir::LogicalResult compile(const CompileOptions& options);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_COMPILE_H_
