// Assigns a mesh to each op, parameter and input of a program in stages.
//
// The functions of a stage, and all functions that they call, lie on the group
// of the stage. The ops between the calls of stages lie with the tensors that
// they belong to:
//
//   %h = call @loss.stage0(%x, %w0)       on @front, and so are %x and %w0
//   %y = call @loss.stage1(%h, %w1)       on @back: %h is to be moved there
//   %sum = nn.add %carried, %y            on @back, with %y
//   %scaled = nn.mul %factor, %g0         on @front, with the gradient
//   %new = nn.adam %w0, %g0, ..., %lr     on @front, with the parameter
//
// The rules, in order of precedence:
//
// - A pinned parameter or input lies on the mesh of its pin.
// - An update of a parameter lies with the parameter.
// - Any other op with operands on groups lies with the operand that is made
//   last. For example, gradients of a value that two stages read are added up
//   where the second gradient is made. So no two stages wait for each other.
//   Scalars (tensors of one element), which are cheap to send, count only if
//   all other operands lie on the whole machine.
// - If only one group uses a tensor, the tensor lies on that group. This holds
//   for parameters, arguments, and results of ops without operands on groups.
//   If a function returns the tensor, the uses of the call's result count. A
//   parameter that several stages read lies with the first of these stages. If
//   several groups run a stage, the parameters of that stage lie on the group
//   that sbp.stages lists for it.
// - Everything else (the learning rate, Adam's corrections, the index of a
//   micro-batch) lies on the whole machine: every rank has all of it.

#ifndef PASSES_PLACEMENT_STAGEMESHES_H_
#define PASSES_PLACEMENT_STAGEMESHES_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/plan/ProgramMeshes.h"
#include "passes/stages/Stages.h"

namespace sbp {

/// Returns the meshes of `module`, a differentiated program cut into `stages`.
/// If stages on several groups call a function, copies the function so that
/// each group has its own. Fails with a diagnostic if the mesh of a group, or
/// its machine, is not well defined.
FailureOr<ProgramMeshes> meshesOfStages(ModuleOp module, StagesOp stages);

}  // namespace sbp

#endif  // PASSES_PLACEMENT_STAGEMESHES_H_
