// A backward function in two halves.
//
// The stage before waits for the gradients of activations only; those of
// weights can be made at any time before the update. So what only these need is
// cut off:
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
// Nothing is computed twice: what the second half needs of the first (%dh), it
// is given. Calls of layers are in halves as well, so one of a
// `.backward.input` goes with the gradients of activations, and the other does
// not.
//
// A gradient of a weight that the first half has anyhow, because it is also one
// of an activation, is handed through the second.
//
// A stage whose arguments are none that a gradient goes back to (the first: it
// takes tokens or images) has a first half that does nothing. Nobody waits for
// its gradients, so the second does it all.

#ifndef PASSES_DIFFERENTIATE_SPLITBACKWARD_H_
#define PASSES_DIFFERENTIATE_SPLITBACKWARD_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "passes/differentiate/Layer.h"

namespace sbp {

/// Moves to `function`, which is empty, what of `whole` only gradients of
/// weights need: of parameters, and of the arguments of the layer with a true
/// flag. `whole` stays as the half for inputs.
BackwardFunction splitBackward(BackwardFunction& whole,
                               mlir::func::FuncOp function,
                               const std::vector<bool>& weightArguments);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_SPLITBACKWARD_H_
