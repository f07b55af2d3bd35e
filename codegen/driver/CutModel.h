// A model that is to be cut into stages, as its command line says.

#ifndef CODEGEN_DRIVER_CUTMODEL_H_
#define CODEGEN_DRIVER_CUTMODEL_H_

#include <cstdint>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Pipelines.h"

namespace sbp {

/// Into how many stages a model is cut, on how many groups of ranks; 0 for the
/// stages that it has, and for a group per stage.
struct StageNumbers {
  int64_t stages = 0;
  int64_t groups = 0;
};

/// Cuts the model, if it is to be cut.
LogicalResult cutModel(ModuleOp module, const StageNumbers& numbers,
                       const PipelineOptions& options);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CUTMODEL_H_
