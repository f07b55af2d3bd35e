// Gives each pipe of a schedule its own nn.repeat. The pass is
// --sbp-divide-pipes (Passes.td).
//
// A schedule may run a stage on several groups. Its table says which group runs
// the stage for which micro-batch. Micro-batches whose stages are all on the
// same groups form a pipe (passes/schedule/Pipes.h). The function that is
// repeated for each micro-batch is copied for each pipe, and the sums of all
// pipes are added up:
//
//   %g = nn.repeat 4 @part(..)
//
// becomes
//
//   %a = nn.repeat 4 only [2, 3] @part(..)
//   %b = nn.repeat 4 only [0, 1] @part.pipe1(..)
//   %g = nn.add %b, %a
//
// The function of each pipe calls functions of stages that are on the groups of
// that pipe. So later passes need not know of pipes. Tensors that pipes share,
// above all parameters, are on the groups that sbp.stages lists, and are moved
// to other groups and back like any other tensor.

#ifndef PASSES_STAGES_DIVIDEPIPES_H_
#define PASSES_STAGES_DIVIDEPIPES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Finds each nn.repeat in `module`, a differentiated program, whose function
/// calls functions of stages. Replaces it by one nn.repeat per pipe of the
/// schedule. Does nothing if the program has no schedule or is divided already.
/// Fails with a diagnostic at a schedule that cannot be run, or at an nn.repeat
/// with another number of micro-batches than the schedule.
LogicalResult dividePipes(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_STAGES_DIVIDEPIPES_H_
