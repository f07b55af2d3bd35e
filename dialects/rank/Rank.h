// The rank dialect: the program of one rank, with its collectives.

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

/// The name of the attribute that says, of a parameter, and of an argument or a
/// result of a public function of a rank.program, what it is a part of: a
/// TypeAttr of the whole, placed type.
inline constexpr llvm::StringLiteral kWholeAttrName = "rank.whole";

/// The name of the attribute that says, of an argument or a result of a public
/// function, which one of the whole entry it is, where that is another one: the
/// program's ranks do not have all of them.
inline constexpr llvm::StringLiteral kPositionAttrName = "rank.position";

/// The name of the attribute that says, of an op that names axes, of which
/// group they are, where that is not the program's mesh.
inline constexpr llvm::StringLiteral kGroupAttrName = "rank.group";

/// The name of the attribute that says, of an op of a function that is
/// repeated, of which task of the pipeline it is, "1F" for the forward of stage
/// 1; of a rank.transfer, which one receives it.
inline constexpr llvm::StringLiteral kTaskAttrName = "rank.task";

/// The mesh axes that `names` name, as indices in ascending order. Fails with a
/// diagnostic at `op` on a name that the mesh lacks, or on names out of order.
FailureOr<SmallVector<int64_t>> axesNamed(Operation* op, mlir::ArrayAttr names,
                                          const Mesh& mesh);

/// The names of the mesh axes `axes`, as the ops of the dialect have them.
mlir::ArrayAttr namesOf(ArrayRef<int64_t> axes, const Mesh& mesh,
                        OpBuilder& builder);

/// The mesh whose axes `op` names: the group that it names too, or else that
/// of the rank.program around it.
FailureOr<Mesh> meshOf(Operation* op);
mlir::FlatSymbolRefAttr meshNameOf(Operation* op);

class TransferOp;

/// The transfer that `end`, a send or a receive of a rank.program, is of. Its
/// module has been verified.
TransferOp transferOf(Operation* end);

/// The network. Ops that take part in a collective or a transfer write to it,
/// as other ranks wait for them.
struct Network : mlir::SideEffects::Resource::Base<Network> {
  StringRef getName() final { return "Network"; }
};

}  // namespace sbp::rank

#include "dialects/rank/RankDialect.h.inc"
#include "dialects/rank/RankEnums.h.inc"

#define GET_OP_CLASSES
#include "dialects/rank/RankOps.h.inc"

#endif  // DIALECTS_RANK_RANK_H_
