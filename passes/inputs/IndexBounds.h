// What a program does with the integers that it is given, and so which ones it
// can take.
//
// The answer is found backwards, from the ops that choose by an integer:
//
//   what a use asks of the elements of x, each at least 0 and below ...
//     embedding %table, %x         the rows of the table
//     cross_entropy %logits, %x    the classes
//     y = reshape %x, cast %x ...  what the uses of y ask of its elements
//     call @layer(%x)              what @layer asks of that argument; and where
//                                  it returns the argument rearranged, what the
//                                  uses of that result ask
//     a = slice %x, b = slice %x   where the slices leave nothing of x out:
//                                  the most that any of them asks. (The least
//                                  would ask of one column what holds of
//                                  another.)
//     nn.part %k of %x             what the uses of a part ask: where parts are
//                                  taken in turns, that is asked of all
//     anything else                nothing
//
// The least of what its uses ask is asked of x. A function is looked at once,
// however often it is called.

#ifndef PASSES_INPUTS_INDEXBOUNDS_H_
#define PASSES_INPUTS_INDEXBOUNDS_H_

#include <limits>

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

class IndexBounds {
 public:
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

  /// `symbols` are the module's, and must outlive this.
  explicit IndexBounds(mlir::SymbolTable& symbols) : symbols(symbols) {}

  /// What is asked of the elements of `value`, an argument of an entry or a
  /// value in one: to be below this; kUnbounded if nothing.
  int64_t boundOf(Value value) { return demandOn(value).below; }

 private:
  /// What is asked of the elements of a value in its function, and the results
  /// of the function that have all of them.
  struct Demand {
    int64_t below = kUnbounded;
    SmallVector<unsigned, 1> results;

    void add(const Demand& other);
  };

  /// By value, not by reference: the memory of demands moves as it grows.
  Demand demandOn(Value value);
  Demand demandOfUses(Value value);
  Demand demandOfUse(mlir::OpOperand& use);
  Demand demandOfCall(mlir::CallOpInterface call, unsigned argument);

  /// What `slices`, all uses of `value` that are one, ask of all its elements.
  int64_t boundBySlices(Value value, ArrayRef<nn::SliceOp> slices);

  mlir::SymbolTable& symbols;
  llvm::DenseMap<Value, Demand> demands;
};

}  // namespace sbp

#endif  // PASSES_INPUTS_INDEXBOUNDS_H_
