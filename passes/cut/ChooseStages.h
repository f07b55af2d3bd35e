// Cuts a model into stages, by the costs of its units: its ops and calls of
// layers (EntryUnits.h).
//
//   func.func @loss(...) {
//     %h = call @embed(%x, ...)
//     %y = call @layer(%h, ...)
//     %z = call @score(%y, ...)
//     ...
//
// becomes
//
//   sbp.mesh @group0 of @host ranks [0, 1]
//   sbp.mesh @group1 of @host ranks [2, 3]
//   sbp.stages [@group0, @group1]
//   func.func @loss(...) {
//     %h = call @embed(%x, ...) {sbp.stage = 0}
//     %y = call @layer(%h, ...)
//     %z = call @score(%y, ...) {sbp.stage = 1}
//     ...
//
// The trained entry is cut such that its busiest stage has the least to do
// (StageCut.h). In other entries, an op that reads parameters of a stage
// belongs to that stage if the stages of its operands allow it (MarkStages.h).
// The result has the same form as a model that was cut by hand.

#ifndef PASSES_CUT_CHOOSESTAGES_H_
#define PASSES_CUT_CHOOSESTAGES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/Passes.h"

namespace sbp {

/// Cuts `module`, a logical program, into `options.stages` stages. Fails with a
/// diagnostic if the program has stages or pins already, if no entry is
/// trained, if the ranks cannot be divided into the groups, if there are fewer
/// units than stages or fewer stages than groups, if a unit cannot be
/// differentiated or placed, or if no cut fits into the memory.
LogicalResult chooseStages(ModuleOp module, const ChooseStagesOptions& options);

}  // namespace sbp

#endif  // PASSES_CUT_CHOOSESTAGES_H_
