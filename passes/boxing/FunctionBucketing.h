// Decides which tensors of a function may move in buckets. In a bucket, small
// tensors move together, in one message from each rank to each other rank.
//
// Gradients that the optimiser reads, and new parameter values that are stored,
// move at the end of a step, and no other op waits for one of them. So these
// tensors may wait for each other:
//
//   %sum = sbp.box bucketed %gradient    [P(sum)] to [B]
//   %next = nn.sgd %weight, %sum, %rate
//
// The same holds for gradients that are finished first: cast, reshaped, or
// multiplied by a scalar.
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
/// in a bucket if each of its uses takes it, perhaps finished, as the gradient
/// of an optimiser step. The result of such a step may move in a bucket if each
/// of its uses stores it in a parameter.
class FunctionBucketing {
 public:
  explicit FunctionBucketing(mlir::func::FuncOp function);

  /// Returns how `tensor` moves: alone or in a bucket. `tensor` may be a boxed
  /// version of a tensor of the function.
  Bucketing of(Value tensor) const;

 private:
  /// Bytes of all gradients that may move in buckets, each counted whole, by
  /// the mesh on which they are made. The key is null while the program has no
  /// placements.
  std::map<const void*, double> bytes_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_FUNCTIONBUCKETING_H_
