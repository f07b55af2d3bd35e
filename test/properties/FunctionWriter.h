// A random function while it is being written.
//
// A function is written step by step; a step adds an op, or a few, to the
// values that there are so far. What a step needs and does not find it asks for
// as a leaf: a parameter, an input, a constant.
//
// Values stay tame. A bound is known of the magnitude of each, by the
// arithmetic of intervals; a value that may be large is brought back before it
// is kept. So nothing overflows, and no gradient vanishes in a saturated
// function, however the steps follow each other.

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

class FunctionWriter {
 public:
  enum class Kind {
    Entry,  // may take more inputs
    Layer,  // has the arguments that it has
  };

  /// Writes at the end of `function`, whose arguments are the first values; the
  /// magnitudes of floating-point ones are below 8.
  FunctionWriter(ModuleWriter& module, mlir::func::FuncOp function, Kind kind);

  ModuleWriter& module() { return module_; }
  Choices& choices() { return module_.choices(); }
  OpBuilder& builder() { return builder_; }
  Type floatType() { return module_.floatType(); }
  /// i32 or i64.
  Type integerType();

  // ---- Values that steps use ------------------------------------------------

  /// A value so far, preferably a late one, of floating point and a rank in
  /// [minRank, maxRank], or a leaf.
  Value floats(int64_t minRank = 0, int64_t maxRank = 4);
  /// Likewise an integer that is no i1, and an i1.
  Value integers(int64_t minRank = 0, int64_t maxRank = 4);
  Value booleans();
  /// Of any element type.
  Value anything(int64_t minRank = 0, int64_t maxRank = 4);

  /// A value so far of this type, or a new leaf.
  Value leaf(ArrayRef<int64_t> shape, Type elementType);
  /// A new leaf: no value so far depends on it, so it does not happen to be
  /// equal to one.
  Value newLeaf(ArrayRef<int64_t> shape, Type elementType);
  Value floatLeaf(ArrayRef<int64_t> shape) { return leaf(shape, floatType()); }
  /// A value with which one of shape `shape` broadcasts, to at most 4
  /// dimensions and kMaxElements elements.
  Value broadcasting(ArrayRef<int64_t> shape, Type elementType);
  /// Integers of shape `shape`, all below `bound`.
  Value indices(ArrayRef<int64_t> shape, int64_t bound);
  Value scalar(double number);
  Value integerSplat(ArrayRef<int64_t> shape, Type elementType, int64_t number);
  /// Floating-point values that are above 1/3.
  Value positive(Value value);

  Shape shape(int64_t minRank = 0, int64_t maxRank = 4);
  /// In [1, 10].
  int64_t extent();
  static constexpr int64_t kMaxElements = 400;

  // ---- What steps add -------------------------------------------------------

  template <typename Op, typename... Arguments>
  Value make(Arguments&&... arguments) {
    return Op::create(builder_, builder_.getUnknownLoc(),
                      std::forward<Arguments>(arguments)...)
        ->getResult(0);
  }

  /// No element of `value` has a larger magnitude.
  double boundOf(Value value) const { return bounds_.lookup(value); }
  void setBound(Value value, double bound) { bounds_[value] = bound; }

  /// Makes `value`, whose magnitude is at most `bound`, one of the values so
  /// far, tamed when it may be large. Returns what was kept.
  Value keep(Value value, double bound);

  // ---- The end --------------------------------------------------------------

  /// The sum of one random floating-point number from every value that has no
  /// use, and from `also`.
  Value sumOfUnused(Value also);
  /// A scalar that depends on all of `value`.
  Value scalarFrom(Value value);
  /// Returns `results` and gives the function its type.
  void finish(ValueRange results);

  const SmallVector<Value>& values() const { return values_; }

 private:
  Value someOf(llvm::function_ref<bool(RankedTensorType)> fits,
               llvm::function_ref<Value()> otherwise);
  Value literal(RankedTensorType type);
  Value input(RankedTensorType type, int64_t integerBound);
  Value parameter(RankedTensorType type);
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
int64_t numElements(ArrayRef<int64_t> shape);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_FUNCTIONWRITER_H_
