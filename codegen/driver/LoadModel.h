// Reading a model, and giving it a machine to run on.

#ifndef CODEGEN_DRIVER_LOADMODEL_H_
#define CODEGEN_DRIVER_LOADMODEL_H_

#include <cstdint>
#include <string>

#include "codegen/driver/ModelContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

struct ModelSource {
  /// The model: MLIR text or bytecode; "-" is standard input.
  std::string path;
  /// A file that defines the machine, or empty.
  std::string machinePath;
  /// How many ranks there are to be; 0 leaves it to the machine.
  int64_t numRanks = 0;
};

/// Reads the model and its machine. A module without a name takes that of its
/// file, so that each of its forms tells what model it is; tensors have the
/// names of the text (passes/names/Names.h). The machine is, in this order:
/// what `machinePath` defines (a machine or mesh of the same name in the model
/// gives way to it), what the model defines, or else what `addMachine` adds for
/// `numRanks` (one if it is zero) ranks. Null, after a diagnostic, when a file
/// cannot be read or parsed, or the machine has another number of ranks than
/// `numRanks`.
mlir::OwningOpRef<mlir::ModuleOp> loadModel(
    ModelContext& context, const ModelSource& source,
    llvm::function_ref<void(mlir::ModuleOp, int64_t)> addMachine);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LOADMODEL_H_
