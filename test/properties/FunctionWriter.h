// The generation of one random function.
//
// A function is generated step by step. A step adds one op, or a few, whose
// operands are values so far: arguments, leaves, and results that steps have
// kept. If there is no suitable value, and sometimes if there is, the step asks
// for a new leaf: a parameter, an input, or a constant.
//
// Magnitudes stay small. The writer computes a bound of the magnitude of each
// value by interval arithmetic. A value that may be large is scaled before
// later steps can use it. So nothing overflows, and no gradient vanishes in a
// saturated function, in any sequence of steps.

#ifndef TEST_PROPERTIES_FUNCTIONWRITER_H_
#define TEST_PROPERTIES_FUNCTIONWRITER_H_

#include <utility>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "test/properties/Choices.h"
#include "test/properties/ModuleWriter.h"

namespace sbp::properties {

using Shape = SmallVector<int64_t, 4>;

/// Writes one function.
class FunctionWriter {
 public:
  enum class Kind {
    Entry,  // the writer may add arguments
    Layer,  // the arguments are given
  };

  /// Writes at the end of `function`, whose arguments are the first values. The
  /// magnitudes of its arguments must be at most 16, or 1000 for integers.
  FunctionWriter(ModuleWriter& module, mlir::func::FuncOp function, Kind kind);

  ModuleWriter& module() { return module_; }
  Choices& choices() { return module_.choices(); }
  OpBuilder& builder() { return builder_; }
  Type floatType() { return module_.floatType(); }
  /// Returns i32 or i64, at random.
  Type integerType();

  // ---- Values that steps use ------------------------------------------------

  /// Returns a floating-point value so far, preferably a late one, with a rank
  /// in [minRank, maxRank], or a leaf.
  Value floats(int64_t minRank = 0, int64_t maxRank = 4);
  /// Return a value as floats() does, with integer elements (not i1) and with
  /// i1 elements.
  Value integers(int64_t minRank = 0, int64_t maxRank = 4);
  Value booleans();
  /// Returns a value as floats() does, with any element type.
  Value anything(int64_t minRank = 0, int64_t maxRank = 4);

  /// Returns a value so far of this type, or a new leaf.
  Value leaf(ArrayRef<int64_t> shape, Type elementType);
  /// Returns a new leaf. If it reads a parameter, other leaves may read the
  /// same parameter.
  Value newLeaf(ArrayRef<int64_t> shape, Type elementType);
  Value floatLeaf(ArrayRef<int64_t> shape) { return leaf(shape, floatType()); }
  /// Returns a value whose shape broadcasts with `shape`, to at most 4
  /// dimensions and kMaxElements elements.
  Value broadcasting(ArrayRef<int64_t> shape, Type elementType);
  /// Returns a tensor of shape `shape` with integers in [0, bound).
  Value indices(ArrayRef<int64_t> shape, int64_t bound);
  Value scalar(double number);
  Value integerSplat(ArrayRef<int64_t> shape, Type elementType, int64_t number);
  /// Returns a tensor that is computed from `value`, a floating-point tensor,
  /// element by element. All its elements are above 1/3.
  Value positive(Value value);

  /// Returns a random shape.
  Shape shape(int64_t minRank = 0, int64_t maxRank = 4);
  /// Returns a random extent in [1, 10].
  int64_t extent();
  static constexpr int64_t kMaxElements = 400;

  // ---- Ops that steps add ---------------------------------------------------

  /// Builds an op and returns its first result.
  template <typename Op, typename... Arguments>
  Value make(Arguments&&... arguments) {
    return Op::create(builder_, builder_.getUnknownLoc(),
                      std::forward<Arguments>(arguments)...)
        ->getResult(0);
  }

  /// Returns a bound of the magnitudes of the elements of `value`.
  double boundOf(Value value) const { return bounds_.lookup(value); }
  void setBound(Value value, double bound) { bounds_[value] = bound; }

  /// Adds `value`, whose magnitude is at most `bound`, to the values so far. If
  /// `bound` is above 16, or 1000 for integers, adds a scaled value or its tanh
  /// instead. Returns the added value.
  Value keep(Value value, double bound);

  // ---- The end --------------------------------------------------------------

  /// Returns the sum of scalarFrom(also) and of scalarFrom() of each value so
  /// far that has no use.
  Value sumOfUnused(Value also);
  /// Returns a floating-point scalar that is computed at random from all
  /// elements of `value`.
  Value scalarFrom(Value value);
  /// Adds the return of `results`, and sets the type of the function.
  void finish(ValueRange results);

  const SmallVector<Value>& values() const { return values_; }

 private:
  /// Returns a value so far whose type `fits`, preferably a late one. If there
  /// is none, and sometimes if there is, returns the result of `otherwise`.
  Value someOf(llvm::function_ref<bool(RankedTensorType)> fits,
               llvm::function_ref<Value()> otherwise);
  /// Return new leaves of type `type`, with their bounds set. The elements of
  /// an integer input are in [0, integerBound).
  Value literal(RankedTensorType type);
  Value input(RankedTensorType type, int64_t integerBound);
  Value parameter(RankedTensorType type);
  /// Returns `value`, or a value made from it if `bound` is too large; see
  /// keep().
  Value tamed(Value value, double bound);

  ModuleWriter& module_;
  mlir::func::FuncOp function_;
  Kind kind_;
  OpBuilder builder_;
  SmallVector<Value> values_;
  llvm::DenseMap<Value, double> bounds_;
};

inline RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}
inline ArrayRef<int64_t> shapeOf(Value value) {
  return typeOf(value).getShape();
}
inline int64_t rankOf(Value value) { return typeOf(value).getRank(); }
inline Type elementTypeOf(Value value) {
  return typeOf(value).getElementType();
}
inline bool isFloat(Value value) {
  return llvm::isa<mlir::FloatType>(elementTypeOf(value));
}
/// Returns the number of elements of a tensor of shape `shape`.
int64_t numElements(ArrayRef<int64_t> shape);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_FUNCTIONWRITER_H_
