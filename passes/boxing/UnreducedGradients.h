// Gradients whose terms are added up after a cast, not before it.
//
// A gradient may be cast to another type before its terms are added up over
// ranks (dialects/nn/ReducedIn.h). The operand of such a cast then stays
// Partial. If the operand is the result of an op that can be applied to each
// term separately, such as a transposition (nn::passesGradient), the gradients
// that this op takes stay Partial too. If the operand is the result of a call,
// the tensor that the callee returns stays Partial too. All this holds only for
// tensors all of whose uses keep the terms: the gradient of an activation, for
// example, is also an operand of products. A pinned gradient has the placement
// of its pin.

#ifndef PASSES_BOXING_UNREDUCEDGRADIENTS_H_
#define PASSES_BOXING_UNREDUCEDGRADIENTS_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// The tensors of a program that must stay Partial, because their terms are
/// added up only after a later cast. The program must have no placements yet.
class UnreducedGradients {
 public:
  explicit UnreducedGradients(ModuleOp module);

  bool contains(Value tensor) const { return unreduced_.contains(tensor); }

 private:
  /// Adds `tensor` if keepsTerms() holds for all its uses. Then also considers
  /// the tensors from which it was made.
  void consider(Value tensor);
  /// Whether `use` keeps the terms of its tensor: the user is a cast after
  /// which terms are added up, or makes a tensor that is unreduced itself.
  bool keepsTerms(mlir::OpOperand& use) const;

  mlir::SymbolTable symbols_;
  llvm::DenseMap<Operation*, SmallVector<Operation*, 1>> callsOf_;
  llvm::DenseSet<Value> unreduced_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_UNREDUCEDGRADIENTS_H_
