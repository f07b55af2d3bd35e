// The program of some ranks, built from a boxed module.

#ifndef PASSES_LOCALIZE_LOCALPROGRAM_H_
#define PASSES_LOCALIZE_LOCALPROGRAM_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/boxing/Transitions.h"

namespace sbp {

/// The rank.program `name` of `ranks`, which own equally large parts of all
/// tensors of `module` (RankClasses.h). All tensor types of `module` are placed
/// on `mesh`, which is that of `transitions`.
///
/// The program is not part of the module yet. Fails with a diagnostic at an op
/// that works on tensors but does not say how it works on parts of them.
FailureOr<mlir::OwningOpRef<rank::ProgramOp>> buildLocalProgram(
    ModuleOp module, StringRef name, mlir::FlatSymbolRefAttr mesh,
    ArrayRef<int64_t> ranks, TransitionTable& transitions);

}  // namespace sbp

#endif  // PASSES_LOCALIZE_LOCALPROGRAM_H_
