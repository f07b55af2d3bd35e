// Builds the program (local shapes, collectives, sends) that one class of ranks
// runs, from a module in boxed form (docs/forms.md).

#ifndef PASSES_LOCALIZE_LOCALPROGRAM_H_
#define PASSES_LOCALIZE_LOCALPROGRAM_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/stages/StageTasks.h"

namespace sbp {

/// Maps each sbp.box between groups to the name of its rank.transfer. A box
/// that needs no data movement is not in the map.
using Transfers = llvm::DenseMap<Operation*, mlir::FlatSymbolRefAttr>;

/// Builds the rank.program `name` for `ranks`. The ranks must be on the same
/// meshes and have equal local shapes for all tensors (RankClasses.h). All
/// types of `module` must be placed on meshes of `transitions`.
///
/// The program has all public functions of `module`. It has other functions,
/// ops and parameters only if they lie on meshes of `ranks`. An op that is part
/// of a pipeline's task (`tasks`) gets the attribute rank.task. Axes in the
/// program are those of `mesh`, the mesh of all ranks. An op that refers to
/// axes of another mesh has the attribute rank.group.
///
/// The program is not inserted into the module. Fails with a diagnostic at an
/// op that computes but does not implement DistributedOpInterface, at an op
/// whose signatures cannot be combined on its mesh (verifyOnMesh), and at a
/// function of several blocks.
FailureOr<mlir::OwningOpRef<rank::ProgramOp>> buildLocalProgram(
    ModuleOp module, StringRef name, mlir::FlatSymbolRefAttr mesh,
    ArrayRef<int64_t> ranks, const GroupTransitions& transitions,
    const StageTasks& tasks = StageTasks(),
    const Transfers& transfers = Transfers());

}  // namespace sbp

#endif  // PASSES_LOCALIZE_LOCALPROGRAM_H_
