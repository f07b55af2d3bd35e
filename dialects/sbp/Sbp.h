// The sbp dialect: machines, meshes, placements, pins and boxings.

#ifndef DIALECTS_SBP_SBP_H_
#define DIALECTS_SBP_SBP_H_

#include <optional>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Network.h"
#include "dialects/sbp/SbpDialect.h.inc"
#include "dialects/support/LLVM.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_ATTRDEF_CLASSES
#include "dialects/sbp/SbpAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/sbp/SbpOps.h.inc"

namespace sbp {

/// The most devices of a machine.
inline constexpr int64_t kMaxDevices = 65536;

/// The most levels of a machine, and axes of a mesh: sets of them are bits. So
/// many devices make 16 of two each.
inline constexpr size_t kMaxAxes = 31;

/// The names of the attributes that pin a parameter or an argument, and the
/// optimiser state of a parameter.
inline constexpr llvm::StringLiteral kPinAttrName = "sbp.pin";
inline constexpr llvm::StringLiteral kStatePinAttrName = "sbp.state_pin";

/// The name of the attribute of an op of an entry that numbers its stage.
inline constexpr llvm::StringLiteral kStageAttrName = "sbp.stage";

/// The name of the attribute of a function of a stage that says what of it the
/// function computes, in the letters of schedules: "F" forward, "B" backward,
/// "I" and "W" the backward of inputs and of weights, "R" recomputation.
inline constexpr llvm::StringLiteral kKindAttrName = "sbp.kind";

/// The name of the attribute of a function of a stage that runs on another
/// group than sbp.stages says, which it names.
inline constexpr llvm::StringLiteral kGroupAttrName = "sbp.group";

/// The names of the attributes of the function of a stage that is to have a
/// backward in two halves, and one that is to be computed again rather than to
/// save values for its backward.
inline constexpr llvm::StringLiteral kSplitBackwardAttrName =
    "sbp.split_backward";
inline constexpr llvm::StringLiteral kRecomputeAttrName = "sbp.recompute";

/// The name of the attribute of a function whose calls are all placed alike,
/// even where those of layers are free to differ.
inline constexpr llvm::StringLiteral kTiedAttrName = "sbp.tied";
/// The name of the attribute that numbers those calls of a layer that are
/// placed as this function, which others are not.
inline constexpr llvm::StringLiteral kCallsAttrName = "sbp.calls";

/// The mesh that `symbol` names in the module around `from`: a sbp.mesh, or a
/// sbp.machine, whose levels are the axes. Fails with a diagnostic at `from`.
FailureOr<Mesh> lookupMesh(Operation* from, mlir::FlatSymbolRefAttr symbol);

/// The machine that `symbol` names, itself or by its mesh; null if the module
/// around `from` has none.
MachineOp lookupMachine(Operation* from, mlir::FlatSymbolRefAttr symbol);

/// The device of that machine; none if the module does not say what its devices
/// can do.
std::optional<Device> lookupDevice(Operation* from,
                                   mlir::FlatSymbolRefAttr symbol);

/// An integer or float type, as far as speed goes.
ScalarType scalarTypeOf(Type elementType);

/// Bytes that one element takes in memory; an i1 takes one.
int64_t elementBytes(Type elementType);

/// `type` with the placement `placement`, or with none when it is null.
RankedTensorType withPlacement(RankedTensorType type, NdSbpAttr placement);

}  // namespace sbp

#endif  // DIALECTS_SBP_SBP_H_
