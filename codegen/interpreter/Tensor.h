// A tensor in host memory, the interpreter's only kind of value.
//
// A tensor is immutable. It is built from values that were computed in double
// precision, or as 64-bit integers. Building it rounds each value once to the
// element type; integers wrap around:
//
//   Tensor(tensor<3xf32>, {0.1, 0.2, 1e300})   ->  0.1f, 0.2f, inf
//   Tensor(tensor<2xi32>, {7, 1 << 31})        ->  7, -2147483648
//
// So the result of an op is the exact result rounded once, except for errors of
// double precision. Such a result is the reference for kernels of any
// precision. Every floating-point and signless integer type up to 64 bits is
// supported; i1 holds 0 and 1.
//
// Copies share their elements, so copying costs nothing, and several threads
// may read one tensor.

#ifndef CODEGEN_INTERPRETER_TENSOR_H_
#define CODEGEN_INTERPRETER_TENSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"

namespace sbp::interpreter {

/// An immutable tensor of numbers.
class Tensor {
 public:
  /// Makes an object without elements, only to be assigned to.
  Tensor() = default;

  /// Makes a tensor of a floating-point `type`, whose placement is dropped.
  /// `elements` are row-major, one per element of the type, and are rounded to
  /// its precision.
  Tensor(RankedTensorType type, std::vector<double> elements);

  /// Makes a tensor of an integer `type`; elements wrap around to its width.
  Tensor(RankedTensorType type, std::vector<int64_t> elements);

  /// Returns a tensor whose elements are all `value`; for an integer type,
  /// `value` without its fraction.
  static Tensor splat(RankedTensorType type, double value);

  /// Returns the tensor of the literal `elements`, which are numbers.
  static Tensor of(mlir::DenseElementsAttr elements);

  /// Returns the type, without placement.
  RankedTensorType type() const { return type_; }
  ArrayRef<int64_t> shape() const { return type_.getShape(); }
  Type elementType() const { return type_.getElementType(); }
  int64_t rank() const { return type_.getRank(); }
  int64_t numElements() const { return type_.getNumElements(); }
  bool isFloat() const;

  /// Returns the elements, row-major: floats() if isFloat(), else integers().
  ArrayRef<double> floats() const { return elements<double>(); }
  ArrayRef<int64_t> integers() const { return elements<int64_t>(); }
  template <typename Element>
  ArrayRef<Element> elements() const {
    return std::get<std::vector<Element>>(*elements_);
  }

  /// Returns the element, as a double, of a tensor that has exactly one.
  double scalar() const;

  /// Returns element `index`, row-major, as a double.
  double asDouble(int64_t index) const;

  /// Returns the same elements, row-major, in a shape with the same number of
  /// elements.
  Tensor reshaped(ArrayRef<int64_t> shape) const;

  /// Returns a tensor of shape `shape` whose element i is this tensor's element
  /// sources[i], or zero where that is kNoSource.
  Tensor gathered(ArrayRef<int64_t> shape, ArrayRef<int64_t> sources) const;
  static constexpr int64_t kNoSource = -1;

  /// Returns the part of the tensor whose indices in dimension `dim` are in
  /// `interval`.
  Tensor part(int64_t dim, Interval interval) const;

  /// Whether the types are equal, and all elements equal, with their signs (0
  /// is not -0). Any two NaNs count as equal.
  bool isIdenticalTo(const Tensor& other) const;

  /// Returns text such as "[[1, 2], [3, 4]]", with nine significant digits.
  std::string str() const;

 private:
  using Elements = std::variant<std::vector<double>, std::vector<int64_t>>;

  Tensor(RankedTensorType type, std::shared_ptr<const Elements> elements);

  RankedTensorType type_;
  std::shared_ptr<const Elements> elements_;
};

/// Returns the concatenation of `parts`, at least one, along `dim`. Their types
/// differ in the extent of that dimension only.
Tensor joined(ArrayRef<Tensor> parts, int64_t dim);

/// Returns build(zero), where `zero` is a double for floating-point element
/// types and an int64_t for integer types. Serves code that is the same for
/// both types.
template <typename Build>
Tensor buildByElement(Type elementType, Build build) {
  if (llvm::isa<mlir::FloatType>(elementType)) return build(double{});
  return build(int64_t{});
}

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TENSOR_H_
