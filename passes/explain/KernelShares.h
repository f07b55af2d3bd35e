// The time of ops in kernels that they share, relative to kernels of their own.

#ifndef PASSES_EXPLAIN_KERNELSHARES_H_
#define PASSES_EXPLAIN_KERNELSHARES_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Maps each op to its time in its kernel, as a fraction of its time in a
/// kernel of its own. The default is 1.
class KernelShares {
 public:
  void set(Operation* op, double share) { shares_[op] = share; }

  double of(Operation* op) const {
    auto known = shares_.find(op);
    return known == shares_.end() ? 1 : known->second;
  }

 private:
  llvm::DenseMap<Operation*, double> shares_;
};

}  // namespace sbp

#endif  // PASSES_EXPLAIN_KERNELSHARES_H_
