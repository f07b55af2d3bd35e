// Gives each pipe of a schedule an op of its own: the pass --sbp-divide-pipes,
// see Passes.td.
//
// A schedule may run a stage on several groups; its table says which of them
// has which micro-batch. Micro-batches that have all stages on the same groups
// are a pipe (passes/schedule/Pipes.h). The function that is repeated for each
// micro-batch is copied for each pipe, and the sums of all pipes are added:
//
//   %g = nn.repeat 4 @part(..)
//
// becomes
//
//   %a = nn.repeat 4 only [2, 3] @part(..)
//   %b = nn.repeat 4 only [0, 1] @part.pipe1(..)
//   %g = nn.add %b, %a
//
// where the function of each pipe calls functions of stages that are on the
// groups of that pipe. So later passes need not know of pipes. Tensors that two
// pipes share, above all parameters, are on the group that sbp.stages names,
// and are moved to other groups and back like any other tensor.

#ifndef PASSES_STAGES_DIVIDEPIPES_H_
#define PASSES_STAGES_DIVIDEPIPES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Replaces each nn.repeat of `module`, a differentiated program, whose
/// function calls stages by one nn.repeat per pipe of the schedule. Does
/// nothing if the program has no schedule or is divided already. Fails with a
/// diagnostic at a schedule that cannot be run, or at such an nn.repeat if it
/// does not have the schedule's number of micro-batches.
LogicalResult dividePipes(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_STAGES_DIVIDEPIPES_H_
