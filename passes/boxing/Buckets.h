// Which tensors travel in buckets, with others, if they are small.
//
// Gradients become what the optimiser takes, and new values of parameters what
// is kept of them, once in a step: all of them at its end, and nobody waits for
// one of them alone. So they may wait for each other:
//
//   %sum = sbp.box bucketed %gradient    [P(sum)] to [B]
//   %next = nn.sgd %weight, %sum, %rate
//
// So may gradients that are finished on the way, by a cast from bf16 or a
// factor.
//
// What a bucket costs is in passes/cost/Collectives.h, and what is in one in
// codegen/plan/FillBuckets.h.

#ifndef PASSES_BOXING_BUCKETS_H_
#define PASSES_BOXING_BUCKETS_H_

#include <map>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// How the tensors of a function travel from where they are made to their uses,
/// be it placed or not yet. In a bucket do those of which each use is the step
/// of an optimiser that takes it as the gradient, or sets a parameter to what
/// such a step has made.
class Travels {
 public:
  explicit Travels(mlir::func::FuncOp function);

  /// How `tensor`, as it was made or laid otherwise since, travels.
  Travel of(Value tensor) const;

 private:
  /// Of gradients, by the mesh on which they are made; null before there is
  /// one.
  std::map<const void*, double> bytes_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_BUCKETS_H_
