// Derives the integers that the inputs of a program may hold. They follow from
// the uses of the inputs.
//
// Bounds are propagated backwards from the ops that use integers as indices:
//
//   use of x                     elements of x are at least 0 and below ...
//     embedding %table, %x         the number of rows of the table
//     cross_entropy %logits, %x    the number of classes
//                                  (in general: what IndexOpInterface says)
//     y = reshape %x, cast %x ...  the bound of y
//     call @layer(%x)              the bound of the argument in @layer; if
//                                  @layer returns the argument's elements, also
//                                  the bound of the call's result
//     a = slice %x, b = slice %x   the largest bound of the slices, if together
//                                  they cover x
//     nn.part %k of %x             the bound of the part: micro-batches take
//                                  all parts of x in turn
//     any other op                 no bound
//
// The bound of x is the smallest bound of its uses. All slices of x count as
// one use, with the largest of their bounds: a smaller bound of one slice need
// not hold for elements that are in other slices only. A function is visited
// once, however often it is called.

#ifndef PASSES_INPUTS_INDEXBOUNDS_H_
#define PASSES_INPUTS_INDEXBOUNDS_H_

#include <limits>

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// The bounds on the integers of one module.
class IndexBounds {
 public:
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

  /// Constructs bounds of a module. `symbols`, its symbol table, must outlive
  /// this object.
  explicit IndexBounds(mlir::SymbolTable& symbols) : symbols_(symbols) {}

  /// Returns the bound on the elements of `value`: each element must be at
  /// least 0 and less than the bound. Returns kUnbounded if there is no bound.
  /// A bound of 0 means that no element is valid. Considers the uses of `value`
  /// in its own function and in functions that are called there.
  int64_t boundOf(Value value) { return demandOn(value).below; }

 private:
  /// The effect of the uses of a value within a function: the bound on its
  /// elements, and the indices of the function's results that contain all these
  /// elements.
  struct Demand {
    int64_t below = kUnbounded;
    SmallVector<unsigned, 1> results;

    void add(const Demand& other);
  };

  /// Derive the demand on a value, of all its uses, or of one use. Return by
  /// value, since references into `demands_` become invalid as it grows.
  Demand demandOn(Value value);
  Demand demandOfUses(Value value);
  Demand demandOfUse(mlir::OpOperand& use);
  Demand demandOfCall(mlir::CallOpInterface call, unsigned argument);

  /// Returns the bound on all elements of `value` that follows from `slices`,
  /// which must be all slices of `value`. Returns kUnbounded if they do not
  /// cover `value`.
  int64_t boundBySlices(Value value, ArrayRef<nn::SliceOp> slices);

  mlir::SymbolTable& symbols_;
  llvm::DenseMap<Value, Demand> demands_;
};

}  // namespace sbp

#endif  // PASSES_INPUTS_INDEXBOUNDS_H_
