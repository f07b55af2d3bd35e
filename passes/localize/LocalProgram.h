// Builds the per-rank program (local shapes, collectives, sends) of one class
// of ranks, from a module in boxed form (docs/forms.md).

#ifndef PASSES_LOCALIZE_LOCALPROGRAM_H_
#define PASSES_LOCALIZE_LOCALPROGRAM_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/stages/StageTasks.h"

namespace sbp {

/// Name of the rank.transfer for each sbp.box from one group to another. Boxes
/// that need no data movement are not in the map.
using Transfers = llvm::DenseMap<Operation*, mlir::FlatSymbolRefAttr>;

/// Builds the rank.program `name` of `ranks`, which are on the same meshes and
/// have equal local shapes for all tensors (RankClasses.h). It contains all
/// public functions of `module`, and the other functions, the ops and the
/// parameters that lie on meshes of these ranks. An op that is part of a task
/// of the pipeline (`tasks`) gets the attribute rank.task. All types of
/// `module` must be placed on meshes of `transitions`.
///
/// Names of axes in the program refer to `mesh`, the mesh of all ranks. An op
/// that refers to axes of another mesh has the attribute rank.group.
///
/// The program is not inserted into the module. Fails with a diagnostic at an
/// op that computes and does not implement DistributedOpInterface, at an op
/// whose signatures cannot be combined on its mesh (verifyOnMesh), and at a
/// function of several blocks.
FailureOr<mlir::OwningOpRef<rank::ProgramOp>> buildLocalProgram(
    ModuleOp module, StringRef name, mlir::FlatSymbolRefAttr mesh,
    ArrayRef<int64_t> ranks, const GroupTransitions& transitions,
    const StageTasks& tasks = StageTasks(),
    const Transfers& transfers = Transfers());

}  // namespace sbp

#endif  // PASSES_LOCALIZE_LOCALPROGRAM_H_
