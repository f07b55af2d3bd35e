// The nn dialect: ops of models. A model applies them to whole tensors; the
// program of a rank applies the same ops to local tensors.

#ifndef DIALECTS_NN_NN_H_
#define DIALECTS_NN_NN_H_

#include "dialects/nn/IndexOp.h"
#include "dialects/nn/Window.h"
#include "dialects/sbp/OpBase.h"
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

/// The letters of the operands and the result in an equation: "bi", "ij" and
/// "bj" in "bi,ij->bj".
struct EinsumLetters {
  StringRef lhs, rhs, result;
};

/// Whether `type` is a tensor of i32 or i64, whose elements can be indices.
bool hasIndices(Type type);

/// Names of the attributes of an entry function. `nn.input` is the name of an
/// argument for users, and `nn.output` the name of a result. `nn.below = n` on
/// an argument of integers means that each element is at least 0 and below n.
/// `nn.optimizer` on a function means that it is a loss to be minimised, and by
/// which optimiser. The training step that is made from the loss has this
/// optimiser as `nn.trained_by`.
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
