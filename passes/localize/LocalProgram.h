// The program of some ranks, built from a boxed module.

#ifndef PASSES_LOCALIZE_LOCALPROGRAM_H_
#define PASSES_LOCALIZE_LOCALPROGRAM_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/stages/StageTasks.h"

namespace sbp {

/// The transfer that each box which goes from one group to another is; none for
/// one whose ranks have at hand what they are to have.
using Transfers = llvm::DenseMap<Operation*, mlir::FlatSymbolRefAttr>;

/// The rank.program `name` of `ranks`, which are on the same meshes and own
/// equally large parts of all tensors (RankClasses.h): what lies on those
/// meshes of `module`, all of whose types are placed on meshes of
/// `transitions`, each op with its task of `tasks`. Its axes are those of
/// `mesh`, the mesh of all ranks, unless an op says otherwise.
///
/// The program is not part of the module yet. Fails with a diagnostic at an op
/// that works on tensors but does not say how it works on parts of them.
FailureOr<mlir::OwningOpRef<rank::ProgramOp>> buildLocalProgram(
    ModuleOp module, StringRef name, mlir::FlatSymbolRefAttr mesh,
    ArrayRef<int64_t> ranks, const GroupTransitions& transitions,
    const StageTasks& tasks = StageTasks(),
    const Transfers& transfers = Transfers());

}  // namespace sbp

#endif  // PASSES_LOCALIZE_LOCALPROGRAM_H_
