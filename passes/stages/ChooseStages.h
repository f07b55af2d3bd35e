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

#ifndef PASSES_STAGES_CHOOSESTAGES_H_
#define PASSES_STAGES_CHOOSESTAGES_H_

#include <cstdint>
#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/differentiate/ReduceIn.h"

namespace sbp {

struct StageQuestion {
  int64_t numStages = 1;
  /// On how many groups of ranks; the stages take them in turns, unless the
  /// schedule has them elsewhere (ScheduledStages.h).
  int64_t numGroups = 1;
  /// Into how many parts a training step will divide its batch.
  int64_t microBatches = 1;
  /// The type in which it will add up terms of gradients in bf16.
  ReduceIn reduceIn = ReduceIn::F32;
  /// The schedule that will run the stages, which says how much of it is kept
  /// at once; empty: one like 1f1b.
  std::string schedule;
  /// Bytes that a stage may take of each device; 0 for what the machine says.
  double memoryBytes = 0;
  /// Limits of the search for prices (SearchRun.h).
  double searchSeconds = 60;
  double searchMemoryBytes = 0;
};

/// Cuts `module`, a logical program, as is asked. Fails with a diagnostic when
/// it has stages or pins, when there is nothing to train, when the ranks cannot
/// be divided so or there are fewer units than stages, and when no cut fits
/// into the memory.
LogicalResult chooseStages(ModuleOp module, const StageQuestion& question);

}  // namespace sbp

#endif  // PASSES_STAGES_CHOOSESTAGES_H_
