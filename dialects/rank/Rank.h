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
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sbp::rank {

/// Name of the attribute with the type of the whole tensor, with its placement,
/// as a TypeAttr. Parameters have it, and arguments and results of public
/// functions of a rank.program.
inline constexpr llvm::StringLiteral kWholeAttrName = "rank.whole";

/// Name of the attribute with the number of an argument or result in the whole
/// entry. Arguments and results of public functions have it where their own
/// number is another one, as the program's ranks do not have all of them.
inline constexpr llvm::StringLiteral kPositionAttrName = "rank.position";

/// Name of the attribute with the group to whose axes an op refers. An op has
/// it where that is not the program's mesh.
inline constexpr llvm::StringLiteral kGroupAttrName = "rank.group";

/// Name of the attribute with the task of the pipeline to which an op of a
/// repeated function belongs, such as "1F", the forward pass of stage 1. On a
/// rank.transfer it is the task that receives the tensor.
inline constexpr llvm::StringLiteral kTaskAttrName = "rank.task";

/// Returns the indices of the mesh axes `names`, in ascending order. Fails with
/// a diagnostic at `op` if the mesh lacks one of them, if they are not in the
/// mesh's order, or if there is none.
FailureOr<SmallVector<int64_t>> axesNamed(Operation* op, mlir::ArrayAttr names,
                                          const Mesh& mesh);

/// Returns the names of the mesh axes `axes`, as an attribute of an op.
mlir::ArrayAttr namesOf(ArrayRef<int64_t> axes, const Mesh& mesh,
                        OpBuilder& builder);

/// Returns the mesh to whose axes `op` refers: its rank.group, or else the mesh
/// of the rank.program around it. Fails with a diagnostic at `op` if there is
/// no rank.program around it, or the module does not define the mesh.
FailureOr<Mesh> meshOf(Operation* op);

/// Returns the name of that mesh, or null outside of a rank.program.
mlir::FlatSymbolRefAttr meshNameOf(Operation* op);

class TransferOp;

/// Returns the transfer of `end`, a rank.send or rank.receive. The module must
/// have been verified.
TransferOp transferOf(Operation* end);

/// The network, as a resource of side effects. Collectives, sends and receives
/// write to it, as other ranks wait for them.
struct Network : mlir::SideEffects::Resource::Base<Network> {
  StringRef getName() final { return "Network"; }
};

}  // namespace sbp::rank

#include "dialects/rank/RankDialect.h.inc"
#include "dialects/rank/RankEnums.h.inc"

#define GET_OP_CLASSES
#include "dialects/rank/RankOps.h.inc"

#endif  // DIALECTS_RANK_RANK_H_
