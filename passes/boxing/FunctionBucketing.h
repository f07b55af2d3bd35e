// Decides which tensors of a function may move in buckets: if they are small,
// together with other small tensors, in one message from each rank to each
// other rank.
//
// Gradients that the optimiser reads, and new parameter values that are stored,
// move once per step, all of them at its end, and no op waits for a single one
// of them. So these tensors may wait for each other:
//
//   %sum = sbp.box bucketed %gradient    [P(sum)] to [B]
//   %next = nn.sgd %weight, %sum, %rate
//
// The same holds for gradients that are finished on the way, by a cast from
// bf16 or by a scalar factor.
//
// passes/cost/Collectives.h has the price of a bucket;
// codegen/plan/FillBuckets.h decides which tensors share one.

#ifndef PASSES_BOXING_FUNCTIONBUCKETING_H_
#define PASSES_BOXING_FUNCTIONBUCKETING_H_

#include <map>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// The tensors of a function that may move in buckets from where they are made
/// to their uses. The function may be placed already or not. A tensor may move
/// in a bucket if each of its uses takes it as the gradient of an optimiser
/// step or, where the tensor is the result of such a step, stores it in a
/// parameter.
class FunctionBucketing {
 public:
  explicit FunctionBucketing(mlir::func::FuncOp function);

  /// Returns whether `tensor` moves alone or in a bucket. `tensor` may be a
  /// boxed version of a tensor of the function.
  Bucketing of(Value tensor) const;

 private:
  /// Bytes of all gradients that can wait, by the mesh on which they are made;
  /// the key is null while the program has no placements.
  std::map<const void*, double> bytes_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_FUNCTIONBUCKETING_H_
