// A model is cut into stages by what its parts cost.
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
// The entry that is trained is cut where its busiest stage has least to do
// (StageCut.h); other entries follow: what reads the parameters of a stage is
// of that stage. The result is a model like one that was cut by hand.

#ifndef PASSES_CUT_CHOOSESTAGES_H_
#define PASSES_CUT_CHOOSESTAGES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/cut/Passes.h"

namespace sbp {

/// Cuts `module`, a logical program, as is asked. Fails with a diagnostic when
/// it has stages or pins, when there is nothing to train, when the ranks cannot
/// be divided so or there are fewer units than stages, and when no cut fits
/// into the memory.
LogicalResult chooseStages(ModuleOp module, const ChooseStagesOptions& options);

}  // namespace sbp

#endif  // PASSES_CUT_CHOOSESTAGES_H_
