#include "passes/module/VerifyAttached.h"

#include "dialects/sbp/DistributedOp.h"

namespace sbp {

LogicalResult verifyAttachedInterfaces(Operation* root) {
  mlir::WalkResult walk = root->walk([](DistributedOpInterface op) {
    const bool isDeclared = op->hasTrait<DistributedOpInterface::Trait>();
    return isDeclared || succeeded(verifyDistributed(op))
               ? mlir::WalkResult::advance()
               : mlir::WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

}  // namespace sbp
