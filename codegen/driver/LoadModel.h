// Reads a model, and gives it a machine to run on.

#ifndef CODEGEN_DRIVER_LOADMODEL_H_
#define CODEGEN_DRIVER_LOADMODEL_H_

#include <cstdint>
#include <string>

#include "codegen/driver/ModelContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// The model and the machine that the command line names.
struct ModelSource {
  /// The model: MLIR text or bytecode; "-" is standard input.
  std::string path;
  /// File that defines the machine, or empty.
  std::string machinePath;
  /// Number of ranks; 0: that of the machine.
  int64_t numRanks = 0;
};

/// Reads the model and its machine. A module without a name gets the name of
/// its file, so that each of its forms shows the model; tensors get their names
/// in the text (passes/names/Names.h). The machine is the first of these:
/// - the one in the file `machinePath`, which replaces a machine or mesh of the
///   same name in the model;
/// - the one in the model;
/// - the one that `addMachine` adds; its second argument is the number of
///   ranks, `numRanks`, or 1 if that is 0.
///
/// Returns null after a diagnostic if
/// - a file cannot be read or parsed;
/// - the model has no entry, or is not closed or too large
///   (passes/module/VerifyTensors.h);
/// - the machine file defines anything but machines and meshes;
/// - `numRanks` is not 0, and a machine of the module has another number of
///   devices.
mlir::OwningOpRef<mlir::ModuleOp> loadModel(
    ModelContext& context, const ModelSource& source,
    llvm::function_ref<void(mlir::ModuleOp, int64_t)> addMachine);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LOADMODEL_H_
