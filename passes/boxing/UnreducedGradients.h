// Gradients that are not reduced before a cast.
//
// A gradient may be cast to another type before its terms are added up over
// ranks (dialects/nn/ReducedIn.h). The operand of that cast then stays Partial.
// So do the tensors of which the operand is made by ops that map terms to terms
// (nn::passesGradient) and by calls. There are two exceptions: a pin says by
// itself how a gradient lies, and a tensor that has other uses too, such as the
// gradient of an activation, may be reduced.

#ifndef PASSES_BOXING_UNREDUCEDGRADIENTS_H_
#define PASSES_BOXING_UNREDUCEDGRADIENTS_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// The tensors of a program whose terms must not be added up before such a
/// cast. The program has no placements yet.
class UnreducedGradients {
 public:
  explicit UnreducedGradients(ModuleOp module);

  bool contains(Value tensor) const { return unreduced_.contains(tensor); }

 private:
  /// Adds `tensor` if all its uses keep its terms, and considers the tensors of
  /// which it is made.
  void consider(Value tensor);
  /// Whether `use` is the operand of a cast after which terms are added up, or
  /// makes a tensor whose terms are kept.
  bool keepsTerms(mlir::OpOperand& use) const;

  mlir::SymbolTable symbols_;
  llvm::DenseMap<Operation*, SmallVector<Operation*, 1>> callsOf_;
  llvm::DenseSet<Value> unreduced_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_UNREDUCEDGRADIENTS_H_
