// Gradients whose terms are added up over ranks as another type only.
//
// What is cast to be reduced after it (dialects/nn/ReducedIn.h) is to stay
// terms until then, and so is what it is made of on the way: by reshapes,
// additions, and returns of functions. A pin on the way says by itself how the
// gradient lies; a tensor that is used otherwise too, as the gradient of an
// activation is, may be reduced.

#ifndef PASSES_BOXING_KEPTTERMS_H_
#define PASSES_BOXING_KEPTTERMS_H_

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// The tensors of a program, not placed yet, whose terms are not to be added
/// up.
class KeptTerms {
 public:
  explicit KeptTerms(ModuleOp module);

  bool contains(Value tensor) const { return kept_.contains(tensor); }

 private:
  /// Adds `tensor`, and what it is made of, if all its uses keep its terms.
  void consider(Value tensor);
  bool keepsTerms(mlir::OpOperand& use) const;

  mlir::SymbolTable symbols_;
  llvm::DenseMap<Operation*, SmallVector<Operation*, 1>> callsOf_;
  llvm::DenseSet<Value> kept_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_KEPTTERMS_H_
