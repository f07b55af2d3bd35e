// Builds the program of some ranks from a boxed module.

#ifndef PASSES_LOCALIZE_LOCALPROGRAM_H_
#define PASSES_LOCALIZE_LOCALPROGRAM_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/stages/StageTasks.h"

namespace sbp {

/// The transfer for each box that crosses from one group to another. A box has
/// none if every rank of the target already holds its part.
using Transfers = llvm::DenseMap<Operation*, mlir::FlatSymbolRefAttr>;

/// Builds the rank.program `name` of `ranks`, which are on the same meshes and
/// own equally large parts of all tensors (RankClasses.h). The program has
/// those parts of `module` that lie on the ranks' meshes; each op keeps its
/// task from `tasks`. All types of `module` must be placed on meshes of
/// `transitions`. The axes of the program are those of `mesh`, the mesh of all
/// ranks, unless an op names another group.
///
/// The program is not inserted into the module. Fails with a diagnostic at an
/// op that works on tensors but does not say how it works on parts of them.
FailureOr<mlir::OwningOpRef<rank::ProgramOp>> buildLocalProgram(
    ModuleOp module, StringRef name, mlir::FlatSymbolRefAttr mesh,
    ArrayRef<int64_t> ranks, const GroupTransitions& transitions,
    const StageTasks& tasks = StageTasks(),
    const Transfers& transfers = Transfers());

}  // namespace sbp

#endif  // PASSES_LOCALIZE_LOCALPROGRAM_H_
