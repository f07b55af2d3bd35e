// The compiler as one function: from a model to any form, or to a program.

#ifndef CODEGEN_DRIVER_COMPILE_H_
#define CODEGEN_DRIVER_COMPILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/driver/CutModel.h"
#include "codegen/driver/LoadModel.h"
#include "mlir/Support/LogicalResult.h"
#include "passes/Pipelines.h"

namespace sbp {

/// What comes out: a form as text, the plan, or the code of all ranks.
enum class Emit {
  Logical,
  Differentiated,
  Placed,
  Boxed,
  Local,
  Plan,
  Llvm,
  Assembly,
  Object,
  Executable,
};

struct CompileOptions {
  ModelSource source;
  Emit emit = Emit::Executable;
  /// Where it goes; "-" is standard output.
  std::string outputPath;
  /// A folder that gets every form on the way as a file, or empty.
  std::string formsFolder;
  StageNumbers cut;
  /// How the program is placed.
  PipelineOptions pipeline;
  /// The CPU to generate code for; "host" is this one.
  std::string cpu = "host";
  /// Shared libraries that bring dialects of their own.
  std::vector<std::string> dialectPlugins;
  /// Which compiler the program is to name as its own.
  std::string compiler;
  /// Says on standard error what takes how long.
  bool isVerbose = false;
};

/// Compiles a model. Fails after a diagnostic on standard error; then no output
/// has been written.
mlir::LogicalResult compile(const CompileOptions& options);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_COMPILE_H_
