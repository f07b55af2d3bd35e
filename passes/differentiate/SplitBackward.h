// Splits a backward function into two halves.
//
// The previous stage waits only for the gradients of activations. The gradients
// of weights can be made at any time before the update. So the ops that only
// these gradients need are moved to a separate function:
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
// Nothing is computed twice: if the second half needs a value of the first half
// (%dh), the value becomes an argument. The backward functions of called layers
// are split too. A call of a `.backward.input` stays in the first half, and a
// call of a `.backward.weight` is moved to the second half.
//
// If one value is the gradient of both a weight and an activation, the first
// half makes it, and both halves return it.
//
// A stage may take only activations without gradients, such as tokens or images
// in the first stage. Its first half has no ops, and its second half has all of
// them.

#ifndef PASSES_DIFFERENTIATE_SPLITBACKWARD_H_
#define PASSES_DIFFERENTIATE_SPLITBACKWARD_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "passes/differentiate/Layer.h"

namespace sbp {

/// Moves the ops of `whole` that only gradients of weights need to `function`,
/// whose body must be empty. Returns `function` as the half for weights;
/// `whole` becomes the half for inputs. Weights are parameters, and those
/// arguments i of the layer for which `weightArguments[i]` is true.
BackwardFunction splitBackward(BackwardFunction& whole,
                               mlir::func::FuncOp function,
                               const std::vector<bool>& weightArguments);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_SPLITBACKWARD_H_
