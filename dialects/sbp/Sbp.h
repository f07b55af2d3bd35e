// The sbp dialect: machines, meshes, placements, pins and boxings.

#ifndef DIALECTS_SBP_SBP_H_
#define DIALECTS_SBP_SBP_H_

#include <optional>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Device.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Kept.h"
#include "dialects/sbp/Network.h"
#include "dialects/sbp/SbpDialect.h.inc"
#include "dialects/sbp/StageTask.h"
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

/// Greatest number of devices of a machine.
inline constexpr int64_t kMaxDevices = 65536;

/// Greatest number of levels of a machine, and of axes of a mesh. The limit
/// exists because a set of them is stored as the bits of an integer.
/// kMaxDevices devices make at most 16 axes of two devices or more.
inline constexpr size_t kMaxAxes = 31;

/// Names of two attributes with a placement. `sbp.pin` pins a parameter or an
/// argument; `sbp.state_pin` pins the optimiser state of a parameter.
inline constexpr llvm::StringLiteral kPinAttrName = "sbp.pin";
inline constexpr llvm::StringLiteral kStatePinAttrName = "sbp.state_pin";

/// Name of the attribute, a SignatureAttr, that pins the signatures by which an
/// op runs.
inline constexpr llvm::StringLiteral kSignatureAttrName = "sbp.signature";

/// Name of the attribute with the index of a stage. An op of an entry belongs
/// to this stage; a function computes this stage.
inline constexpr llvm::StringLiteral kStageAttrName = "sbp.stage";

/// Name of the attribute with the kind of task that a function of a stage
/// computes, a TaskKindAttr.
inline constexpr llvm::StringLiteral kKindAttrName = "sbp.kind";

/// Name of the attribute with the group on which a function of a stage runs. A
/// function has the attribute only if this is not the group that sbp.stages
/// lists for its stage.
inline constexpr llvm::StringLiteral kGroupAttrName = "sbp.group";

/// Name of the attribute, without a value, of the function of a stage that
/// demands a backward pass in two tasks, TaskKind::Input and TaskKind::Weight.
inline constexpr llvm::StringLiteral kSplitBackwardAttrName =
    "sbp.split_backward";

/// Name of the attribute, a KeepAttr, with the values that a private function
/// keeps for its backward pass. A function without it keeps Kept::All.
inline constexpr llvm::StringLiteral kKeepAttrName = "sbp.keep";

/// Name of the attribute, without a value, of a function that has one placement
/// for all its calls, even with --layers free.
inline constexpr llvm::StringLiteral kTiedAttrName = "sbp.tied";
/// Name of the attribute of a copy of a layer with a placement of its own
/// (--layers free). The attribute lists, in ascending order, which calls of the
/// layer call this copy; the calls are numbered from 0.
inline constexpr llvm::StringLiteral kCallsAttrName = "sbp.calls";

/// Returns the mesh that `symbol` names in the module around `from`. `symbol`
/// names an sbp.mesh, or an sbp.machine, whose levels then are the axes. Fails
/// with a diagnostic at `from` if the module defines neither.
FailureOr<Mesh> lookupMesh(Operation* from, mlir::FlatSymbolRefAttr symbol);

/// Returns the machine that `symbol` names in the module around `from`. If
/// `symbol` names a mesh, returns the mesh's machine. Returns null if there is
/// neither.
MachineOp lookupMachine(Operation* from, mlir::FlatSymbolRefAttr symbol);

/// Returns the device of the machine that lookupMachine finds. Returns nothing
/// if there is no such machine, or if the machine does not describe its
/// devices.
std::optional<Device> lookupDevice(Operation* from,
                                   mlir::FlatSymbolRefAttr symbol);

/// Returns the values that `function` is to keep for its backward pass
/// (kKeepAttrName).
Kept keptBy(Operation* function);

/// Returns the scalar type of `elementType`, an integer or floating-point type.
ScalarType scalarTypeOf(Type elementType);

/// Returns the bytes of one element in memory; an i1 takes one byte.
int64_t elementBytes(Type elementType);

/// Returns `type` with the placement `placement`, or without a placement if
/// `placement` is null.
RankedTensorType withPlacement(RankedTensorType type, NdSbpAttr placement);

}  // namespace sbp

#endif  // DIALECTS_SBP_SBP_H_
