// Where each part of a program in stages lies.
//
// The functions of a stage, and all that they call, lie on the stage's group.
// What stands between their calls goes with what it belongs to:
//
//   %h = call @loss.stage0(%x, %w0)       on @front, and so are %x and %w0
//   %y = call @loss.stage1(%h, %w1)       on @back: %h is to be moved there
//   %sum = nn.add %carried, %y            on @back, with %y
//   %scaled = nn.mul %factor, %g0         on @front, with the gradient
//   %new = nn.adam %w0, %g0, ..., %lr     on @front, with the parameter
//
// In this order: an update lies where its parameter does, and another op where
// the last of its operands is made that lie on groups, so that no stage waits
// for one that waits for it: gradients of what two stages read are added up
// where the second is made. Numbers (tensors of one element) count only where
// there are no other operands: they are cheap to send. What takes none, and a
// parameter or an argument, lies where it is used, if that is one group; a
// parameter that several stages read lies with the first of them, and one of a
// stage that several groups run on the one that sbp.stages says. The rest (the
// learning rate, Adam's corrections, the number of a micro-batch) every rank
// has: it lies on the whole machine, whole. A pin of a parameter or an input
// goes before.

#ifndef PASSES_PLACEMENT_STAGEMESHES_H_
#define PASSES_PLACEMENT_STAGEMESHES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/ProgramMeshes.h"
#include "passes/stages/Stages.h"

namespace sbp {

/// The groups of `module`, a differentiated program cut into `stages`. A
/// function that stages on several groups call becomes one for each of them.
FailureOr<ProgramMeshes> meshesOfStages(ModuleOp module, StagesOp stages);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_STAGEMESHES_H_
