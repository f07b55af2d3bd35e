// A forward function that saves nothing, and one that makes the saved values
// again:
//
//   @layer.forward(%x, %w) {          @layer.recompute(%x, %w) {
//     %h = einsum %x, %w                %h = einsum %x, %w
//     %y = gelu %h                      return %h }
//     return %y }
//
// Both compute the same of the same: no op is random. An op has the number
// (nn.id) that it has in the forward function.

#ifndef PASSES_DIFFERENTIATE_RECOMPUTE_H_
#define PASSES_DIFFERENTIATE_RECOMPUTE_H_

#include "dialects/support/LLVM.h"
#include "passes/differentiate/Layer.h"

namespace sbp {

/// Makes `recomputation`, a copy of the forward function of `layer`, return
/// what the whole backward function takes, and the forward function only its
/// first `numResults` results.
void recompute(Layer& layer, mlir::func::FuncOp recomputation,
               int64_t numResults);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_RECOMPUTE_H_
