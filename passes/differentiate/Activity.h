// Which values a gradient is worth having of.
//
// A floating-point value is active when it depends on something that is
// trained: a trainable parameter, or an argument that the caller says is
// active. Gradients flow only through active values, so a program that no
// parameter reaches (the input's preparation, masks, positions) is not
// differentiated.
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

class Activity {
 public:
  /// `symbols` is that of the module; its calls must not recur.
  explicit Activity(mlir::SymbolTable& symbols) : symbols(symbols) {}

  /// Returns the active values of `function` when the arguments with a true
  /// flag are, and `alsoActive`, a result of an op, if it is not null.
  llvm::DenseSet<Value> valuesOf(mlir::func::FuncOp function,
                                 const std::vector<bool>& activeArguments,
                                 Value alsoActive = {});

  /// Whether an optimiser changes the parameter.
  static bool isTrainable(nn::ParameterOp parameter);

 private:
  const std::vector<bool>& activeResults(
      mlir::func::FuncOp function, const std::vector<bool>& activeArguments);

  mlir::SymbolTable& symbols;
  std::map<std::pair<Operation*, std::vector<bool>>, std::vector<bool>> results;
};

/// The flags of those among `values` that are in `active`.
std::vector<bool> flagsOf(ValueRange values,
                          const llvm::DenseSet<Value>& active);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ACTIVITY_H_
