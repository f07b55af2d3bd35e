// The rank dialect: programs of ranks on local tensors, with collectives.

#ifndef DIALECTS_RANK_RANK_H_
#define DIALECTS_RANK_RANK_H_

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sbp::rank {

/// Name of the attribute with the placed type of the whole tensor, a TypeAttr.
/// The parameters of a rank.program, and the arguments and results of its
/// public functions, have this attribute.
inline constexpr llvm::StringLiteral kWholeAttrName = "rank.whole";

/// Name of the attribute with the index of an argument or result in the whole
/// entry. An argument or result of a public function has it only if its index
/// in the rank.program differs, because the program's ranks do not have all
/// arguments or results.
inline constexpr llvm::StringLiteral kPositionAttrName = "rank.position";

/// Name of the attribute with the mesh to whose axes an op refers. An op has
/// the attribute only if this mesh is not the program's.
inline constexpr llvm::StringLiteral kGroupAttrName = "rank.group";

/// Name of the attribute with the task of the pipeline to which an op of a
/// repeated function belongs, a TaskAttr: "1F" is the forward pass of stage 1.
/// On a rank.transfer it is the task that receives the tensor.
inline constexpr llvm::StringLiteral kTaskAttrName = "rank.task";

/// Returns the indices of the mesh axes `names`, in ascending order. Fails with
/// a diagnostic at `op` if the mesh lacks one of the axes, if `names` are not
/// in the mesh's order, or if `names` is empty.
FailureOr<SmallVector<int64_t>> axesNamed(Operation* op, mlir::ArrayAttr names,
                                          const Mesh& mesh);

/// Returns the names of the mesh axes with the indices `axes`, as an attribute
/// of an op.
mlir::ArrayAttr namesOf(ArrayRef<int64_t> axes, const Mesh& mesh,
                        OpBuilder& builder);

/// Returns the mesh to whose axes `op` refers: its rank.group, or else the mesh
/// of the rank.program around `op`. Fails with a diagnostic if neither exists,
/// or if the module does not define the mesh. An op with rank.group must be in
/// a rank.program.
FailureOr<Mesh> meshOf(Operation* op);

/// Returns the name of the mesh that meshOf() returns. Returns null if `op` has
/// no rank.group and no rank.program around it.
mlir::FlatSymbolRefAttr meshNameOf(Operation* op);

class TransferOp;

/// Returns the transfer of `end`, a rank.send or rank.receive. The module must
/// have been verified.
TransferOp transferOf(Operation* end);

/// The network, as a resource of side effects. Collectives, sends and receives
/// write to it, because other ranks wait for them.
struct Network : mlir::SideEffects::Resource::Base<Network> {
  StringRef getName() final { return "Network"; }
};

}  // namespace sbp::rank

#include "dialects/rank/RankDialect.h.inc"
#include "dialects/rank/RankEnums.h.inc"

#define GET_OP_CLASSES
#include "dialects/rank/RankOps.h.inc"

namespace sbp::rank {

/// Whether `op` is a step of a movement: a collective, a transfer, or a local
/// step such as a slice. All other ops of a rank program have kernels, or are
/// calls and accesses to parameters.
inline bool isMovement(Operation* op) {
  return llvm::isa_and_present<RankDialect>(op->getDialect()) &&
         !llvm::isa<FusedOp, YieldOp>(op);
}

}  // namespace sbp::rank

#endif  // DIALECTS_RANK_RANK_H_
