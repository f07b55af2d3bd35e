// Makes a forward function that saves no values, and a function that computes
// these values again:
//
//   @layer.forward(%x, %w) {          @layer.recompute(%x, %w) {
//     %h = einsum %x, %w                %h = einsum %x, %w
//     %y = gelu %h                      return %h }
//     return %y }
//
// Both compute the same values, because no op is random. An op of the
// recomputation has the same nn.id as its original in the forward function.

#ifndef PASSES_DIFFERENTIATE_RECOMPUTE_H_
#define PASSES_DIFFERENTIATE_RECOMPUTE_H_

#include "dialects/support/LLVM.h"
#include "passes/differentiate/Layer.h"

namespace sbp {

/// Makes `recomputation`, a copy of the forward function of `layer`, return the
/// saved values that the backward function takes, and stores it in `layer`.
/// Makes the forward function return only its first `numResults` results. The
/// backward function must not be in halves yet.
void recompute(Layer& layer, mlir::func::FuncOp recomputation,
               int64_t numResults);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_RECOMPUTE_H_
