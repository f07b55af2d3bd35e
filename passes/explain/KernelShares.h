// How much less time ops take in a kernel that they share than in kernels of
// their own.

#ifndef PASSES_EXPLAIN_KERNELSHARES_H_
#define PASSES_EXPLAIN_KERNELSHARES_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Returns by op the time that it takes, as a share of its time in a kernel of
/// its own. It is 1 unless it was set.
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
