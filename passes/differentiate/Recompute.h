// Makes a forward function that saves fewer values, and a function that
// computes the others again (Kept.h):
//
//   keeps inputs                      keeps products
//
//   @layer.forward(%x, %w) {          @layer.forward(%x, %w) {
//     %h = einsum %x, %w                %h = einsum %x, %w
//     %y = gelu %h                      %y = gelu %h
//     return %y }                       return %y, %h }
//   @layer.recompute(%x, %w) {        @layer.recompute(%h) {
//     %h = einsum %x, %w                %y = gelu %h
//     %y = gelu %h                      return %y }
//     return %h, %y }
//
// Both compute the same values, because no op is random. An op of the
// recomputation has the same nn.id as its original in the forward function.

#ifndef PASSES_DIFFERENTIATE_RECOMPUTE_H_
#define PASSES_DIFFERENTIATE_RECOMPUTE_H_

#include "dialects/sbp/Kept.h"
#include "dialects/support/LLVM.h"
#include "passes/differentiate/Layer.h"

namespace sbp {

/// Makes the forward function of `layer` return its first `numResults` results
/// and the values that `kept` keeps, and stores in `layer` a function that
/// computes the other values that the backward function takes. The function has
/// the name of the forward function, and is not in the module yet. If the
/// backward function takes no other values, the function returns nothing. The
/// backward function must not be in halves yet, and `kept` must not be
/// Kept::All.
void recompute(Layer& layer, Kept kept, int64_t numResults);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_RECOMPUTE_H_
