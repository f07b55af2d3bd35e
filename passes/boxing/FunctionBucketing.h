// Decides which tensors of a function may move in buckets. In a bucket, small
// tensors move together, in one message from each rank to each other rank.
//
// Gradients that the optimiser reads, and new parameter values that are stored,
// move at the end of a step. Until then no other op needs them, so they can
// wait until a bucket is filled:
//
//   %sum = sbp.box bucketed %gradient    [P(sum)] to [B]
//   %next = nn.sgd %weight, %sum, %rate
//
// An op may finish a gradient before the optimiser reads it: cast it, reshape
// it, or multiply it by a scalar. Such a gradient may move in a bucket too.
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
/// to their uses. A gradient may move in a bucket if every use leads to an
/// optimiser step, directly or through ops that finish the gradient. The result
/// of an optimiser step may move in a bucket if each of its uses stores it in a
/// parameter. The function may be placed already or not.
class FunctionBucketing {
 public:
  explicit FunctionBucketing(mlir::func::FuncOp function);

  /// Returns how `tensor` moves: alone or in a bucket. `tensor` may be a boxed
  /// version of a tensor of the function.
  Bucketing of(Value tensor) const;

 private:
  /// Total bytes of the gradients that may move in buckets, by the mesh on
  /// which they are made. Counts the bytes of whole tensors, not of the ranks'
  /// parts. The key is the mesh attribute as an opaque pointer; it is null
  /// while the program has no placements.
  std::map<const void*, double> bytes_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_FUNCTIONBUCKETING_H_
