// The C++ of SbpOpBase.td: traits of ops that compute, and the headers that the
// classes generated from it need.

#ifndef DIALECTS_SBP_OPBASE_H_
#define DIALECTS_SBP_OPBASE_H_

#include "dialects/sbp/DistributedOp.h"
#include "dialects/support/LLVM.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sbp {

/// Whether `first` and `second` are lists of ranked tensor types of the same
/// length, with pairwise equal shapes and element types. Placements may differ.
bool haveSameShapes(TypeRange first, TypeRange second);

/// Fails with a diagnostic unless all operands and results of `op` are ranked
/// tensors of one shape and element type. Placements may differ.
LogicalResult verifySameTypeUpToPlacement(Operation* op);

/// Fails with a diagnostic unless the result types of `op` are those that `op`
/// infers. Placements may differ.
LogicalResult verifyInferredTypes(Operation* op);

/// Trait of ops whose operands and results have one shape and element type. Its
/// verifier is verifySameTypeUpToPlacement.
template <typename ConcreteOp>
class SameTypeUpToPlacement
    : public mlir::OpTrait::TraitBase<ConcreteOp, SameTypeUpToPlacement> {
 public:
  static LogicalResult verifyTrait(Operation* op) {
    return verifySameTypeUpToPlacement(op);
  }
};

/// Trait of ops that infer their result types. Its verifier is
/// verifyInferredTypes.
template <typename ConcreteOp>
class HasInferredTypes
    : public mlir::OpTrait::TraitBase<ConcreteOp, HasInferredTypes> {
 public:
  static LogicalResult verifyTrait(Operation* op) {
    return verifyInferredTypes(op);
  }
};

}  // namespace sbp

#endif  // DIALECTS_SBP_OPBASE_H_
