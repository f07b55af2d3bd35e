// Finds the values whose gradients are needed.
//
// A floating-point value is active if it depends on a trained parameter, or on
// an argument that the caller declares active. Only active values have
// gradients. So ops that do not depend on parameters (preparation of inputs,
// masks, positions) are not differentiated.
//
//   %e = nn.embedding %table, %tokens    active if %table is; %tokens never is
//   %m = nn.compare ge %e, %zero         an integer: not active

#ifndef PASSES_DIFFERENTIATE_ACTIVITY_H_
#define PASSES_DIFFERENTIATE_ACTIVITY_H_

#include <map>
#include <utility>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Finds the active values of functions of one module.
class Activity {
 public:
  /// Constructs an object for the module whose symbol table is `symbols`, which
  /// must outlive the object. Functions of the module must not be recursive.
  explicit Activity(mlir::SymbolTable& symbols) : symbols_(symbols) {}

  /// Returns the active values of `function`. `activeArguments[i]` says whether
  /// the caller declares argument i active. If `alsoActive` is not null, it
  /// counts as active too. It must be a result of an op of `function`.
  llvm::DenseSet<Value> valuesOf(mlir::func::FuncOp function,
                                 const std::vector<bool>& activeArguments,
                                 Value alsoActive = {});

  /// Whether the parameter is trained: it has float elements, and is neither
  /// frozen nor the state of an optimiser.
  static bool isTrainable(nn::ParameterOp parameter);

 private:
  const std::vector<bool>& activeResults(
      mlir::func::FuncOp function, const std::vector<bool>& activeArguments);

  mlir::SymbolTable& symbols_;
  std::map<std::pair<Operation*, std::vector<bool>>, std::vector<bool>>
      results_;
};

/// Returns a flag for each of `values`: whether `active` contains it.
std::vector<bool> flagsOf(ValueRange values,
                          const llvm::DenseSet<Value>& active);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ACTIVITY_H_
