// A pipe of its own for each way that micro-batches take: --sbp-divide-pipes,
// see Passes.td.
//
// A schedule may run a stage on several groups: which of them has a
// micro-batch, its table says. Micro-batches that go the same way through all
// stages are a pipe (passes/schedule/Pipes.h). What is repeated for each
// micro-batch becomes a function per pipe, and its sums are added:
//
//   %g = nn.repeat 4 @part(..)
//
// becomes
//
//   %a = nn.repeat 4 only [2, 3] @part(..)
//   %b = nn.repeat 4 only [0, 1] @part.pipe1(..)
//   %g = nn.add %b, %a
//
// where each calls functions of stages that lie on groups of its own. So
// nothing behind this knows of pipes: what two of them share, parameters above
// all, lies on the group that sbp.stages says, and is moved to the other and
// back like all that crosses.

#ifndef PASSES_STAGES_DIVIDEPIPES_H_
#define PASSES_STAGES_DIVIDEPIPES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Divides what `module`, a differentiated program, repeats into the pipes of
/// its schedule. A program without one, or divided already, stays as it is.
/// Fails with a diagnostic at a schedule that cannot be run, and at what is
/// repeated otherwise than it says.
LogicalResult dividePipes(ModuleOp module);

}  // namespace sbp

#endif  // PASSES_STAGES_DIVIDEPIPES_H_
