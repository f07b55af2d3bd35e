// The nn dialect: a model on whole tensors, and the ops that one rank runs.

#ifndef DIALECTS_NN_NN_H_
#define DIALECTS_NN_NN_H_

#include "dialects/nn/IndexOp.h"
#include "dialects/nn/Window.h"
#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace sbp::nn {

/// The three parts of "bi,ij->bj".
struct EinsumLetters {
  StringRef lhs, rhs, result;
};

/// Whether shapes and element types are pairwise equal; placements may differ.
bool haveSameShapes(TypeRange first, TypeRange second);

/// Whether `type` is a tensor of numbers that can choose something: i32 or i64.
bool hasIndices(Type type);

/// Fails at an op whose result types are not those that it infers from its
/// operands, placements aside.
LogicalResult verifyInferredTypes(Operation* op);

/// Trait of ops that infer their result types.
template <typename ConcreteOp>
class HasInferredTypes
    : public mlir::OpTrait::TraitBase<ConcreteOp, HasInferredTypes> {
 public:
  static LogicalResult verifyTrait(Operation* op) {
    return verifyInferredTypes(op);
  }
};

/// The names of the attributes by which an entry function and its arguments and
/// results are known outside.
inline constexpr llvm::StringLiteral kInputAttrName = "nn.input";
inline constexpr llvm::StringLiteral kBelowAttrName = "nn.below";
inline constexpr llvm::StringLiteral kOutputAttrName = "nn.output";
inline constexpr llvm::StringLiteral kOptimizerAttrName = "nn.optimizer";
inline constexpr llvm::StringLiteral kTrainedByAttrName = "nn.trained_by";

}  // namespace sbp::nn

#include "dialects/nn/NnDialect.h.inc"
#include "dialects/nn/NnEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/nn/NnAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/nn/NnOps.h.inc"

#endif  // DIALECTS_NN_NN_H_
