// Decides which tensors travel in buckets, together with others, if they are
// small.
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

#ifndef PASSES_BOXING_BUCKETS_H_
#define PASSES_BOXING_BUCKETS_H_

#include <map>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// The way in which the tensors of a function travel from where they are made
/// to their uses; the function may be placed already or not. A tensor travels
/// in a bucket if each of its uses is an optimiser step that takes it as the
/// gradient, or stores the result of such a step in a parameter.
class Travels {
 public:
  explicit Travels(mlir::func::FuncOp function);

  /// Returns how `tensor` travels. Its placement may have been changed since it
  /// was made.
  Travel of(Value tensor) const;

 private:
  /// Bytes of all gradients that can wait, by the mesh on which they are made;
  /// the key is null while the program has no placements.
  std::map<const void*, double> bytes_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_BUCKETS_H_
