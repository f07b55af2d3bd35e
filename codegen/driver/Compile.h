// The compiler as one function: from a model to any form, or to a program.

#ifndef CODEGEN_DRIVER_COMPILE_H_
#define CODEGEN_DRIVER_COMPILE_H_

#include <string>
#include <vector>

#include "codegen/driver/Backend.h"
#include "codegen/driver/CutModel.h"
#include "codegen/driver/LoadModel.h"
#include "mlir/Support/LogicalResult.h"
#include "passes/Pipelines.h"

namespace sbp {

/// All options of a compilation.
struct CompileOptions {
  ModelSource source;
  CodeOutput output;
  StageNumbers cut;
  /// Options of the passes, placement above all.
  PipelineOptions pipeline;
  /// The device that kernels are made for.
  BackendOptions backend;
  /// Shared libraries with further dialects.
  std::vector<std::string> dialectPlugins;
  /// Name and version of the compiler, which the program reports.
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
