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
  /// File that defines machines and meshes, or empty.
  std::string machinePath;
  /// Whether the machine is this host; `machinePath` is then empty.
  bool isForHost = false;
  /// Number of ranks. 0: the number of devices of the machine, or 1 if neither
  /// the file nor the model defines one.
  int64_t numRanks = 0;
};

/// Reads the model and gives it a machine. A module without a name gets that of
/// its file, without the ending, so that each form shows the model. Locations
/// keep the names that tensors have in the text (passes/names/Names.h).
/// Machines and meshes come from three sources:
/// - the model;
/// - the file `machinePath`, whose machines and meshes are put before those of
///   the model, and replace those of the same names;
/// - `addMachine`, which is called if neither has a machine, or `isForHost` is
///   true. Its machine is then treated as if a file had it. The second argument
///   is `numRanks`; 0 lets `addMachine` choose the number of devices.
///
/// Returns null after a diagnostic if
/// - a file cannot be read or parsed;
/// - the model has no entry;
/// - the model has a function without a body or a value that is no tensor, or
///   is too large (passes/module/VerifyTensors.h);
/// - the machine file defines nothing, something else than machines and meshes,
///   or a name that the model gives to something else;
/// - `numRanks` is not 0, and a machine of the module has another number of
///   devices.
mlir::OwningOpRef<mlir::ModuleOp> loadModel(
    ModelContext& context, const ModelSource& source,
    llvm::function_ref<void(mlir::ModuleOp, int64_t)> addMachine);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_LOADMODEL_H_
