// Splits a backward function into two halves.
//
// The stage before waits only for the gradients of activations. The gradients
// of weights can be made at any time before the update, so the ops that only
// these gradients need are moved to a function of their own:
//
//   @layer.backward(%h, %w, %x, %g) {     @layer.backward.input(%h, %w, %g) {
//     %dh = gelu_grad %h, %g                %dh = gelu_grad %h, %g
//     %dx = einsum %dh, %w                  %dx = einsum %dh, %w
//     %dw = einsum %x, %dh                  return %dx, %dh }
//     return %dx, %dw }
//                                         @layer.backward.weight(%x, %dh) {
//                                           %dw = einsum %x, %dh
//                                           return %dw }
//
// Nothing is computed twice: values of the first half that the second half
// needs (%dh) become its arguments. The layers that the backward function calls
// are split as well: a call of a `.backward.input` stays in the first half, and
// a call of a `.backward.weight` is moved to the second.
//
// If one value is the gradient of both a weight and an activation, the first
// half makes it, and both halves return it.
//
// If no activation that a stage takes has a gradient (as in the first stage,
// which takes tokens or images), the first half does nothing, and the second
// half does everything.

#ifndef PASSES_DIFFERENTIATE_SPLITBACKWARD_H_
#define PASSES_DIFFERENTIATE_SPLITBACKWARD_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "passes/differentiate/Layer.h"

namespace sbp {

/// Moves the ops of `whole` that only gradients of weights need to `function`,
/// which is empty, and returns the half for weights. `whole` becomes the half
/// for inputs. Weights are parameters, and the arguments of the layer whose
/// flag in `weightArguments` is true.
BackwardFunction splitBackward(BackwardFunction& whole,
                               mlir::func::FuncOp function,
                               const std::vector<bool>& weightArguments);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_SPLITBACKWARD_H_
