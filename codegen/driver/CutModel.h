// Cuts a model into stages, as the command line asks.

#ifndef CODEGEN_DRIVER_CUTMODEL_H_
#define CODEGEN_DRIVER_CUTMODEL_H_

#include <cstdint>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Pipelines.h"

namespace sbp {

/// Numbers of stages and of groups of ranks to cut a model into. With 0 stages
/// the model is not cut; with 0 groups each stage has its own.
struct StageNumbers {
  int64_t stages = 0;
  int64_t groups = 0;
};

/// Cuts `module` into stages, unless `numbers.stages` is 0. Fails with a
/// diagnostic.
LogicalResult cutModel(ModuleOp module, const StageNumbers& numbers,
                       const PipelineOptions& options);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CUTMODEL_H_
