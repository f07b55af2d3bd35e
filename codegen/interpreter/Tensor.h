// A tensor on the host: what the interpreter computes with.
//
// A tensor is immutable. It is built from values that were computed in double
// precision (or as 64-bit integers), and building it rounds each of them, once,
// to the element type:
//
//   Tensor(tensor<3xf32>, {0.1, 0.2, 1e300})   ->  0.1f, 0.2f, inf
//   Tensor(tensor<2xi32>, {7, 1 << 31})        ->  7, -2147483648
//
// So an op's result is the exact one, rounded once, as nearly as double
// precision allows: the oracle that kernels of any precision are measured
// against. Every floating-point and signless integer type up to 64 bits is
// supported alike; i1 holds 0 and 1.
//
// Copies share their elements, so they cost nothing, and threads may read them.

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

class Tensor {
 public:
  /// No tensor at all; only to be assigned to.
  Tensor() = default;

  /// A tensor of a floating-point `type`, whose placement is dropped.
  /// `elements` are row-major, as many as the type says, and are rounded to its
  /// precision.
  Tensor(RankedTensorType type, std::vector<double> elements);

  /// A tensor of an integer `type`; elements wrap around to its width.
  Tensor(RankedTensorType type, std::vector<int64_t> elements);

  /// A tensor whose elements are all `value`, which an integer type truncates.
  static Tensor splat(RankedTensorType type, double value);

  /// The literal `elements`, of numbers.
  static Tensor of(mlir::DenseElementsAttr elements);

  /// The type, without placement.
  RankedTensorType type() const { return type_; }
  ArrayRef<int64_t> shape() const { return type_.getShape(); }
  Type elementType() const { return type_.getElementType(); }
  int64_t rank() const { return type_.getRank(); }
  int64_t numElements() const { return type_.getNumElements(); }
  bool isFloat() const;

  /// The elements, row-major: doubles when isFloat(), else integers.
  ArrayRef<double> floats() const { return elements<double>(); }
  ArrayRef<int64_t> integers() const { return elements<int64_t>(); }
  template <typename Element>
  ArrayRef<Element> elements() const {
    return std::get<std::vector<Element>>(*elements_);
  }

  /// The one element of a scalar.
  double scalar() const;

  /// Element `index`, row-major, as a double.
  double asDouble(int64_t index) const;

  /// The same elements, row-major, in another shape of as many.
  Tensor reshaped(ArrayRef<int64_t> shape) const;

  /// A tensor of shape `shape` whose element i is this one's element
  /// sources[i], or zero where that is kNoSource.
  Tensor gathered(ArrayRef<int64_t> shape, ArrayRef<int64_t> sources) const;
  static constexpr int64_t kNoSource = -1;

  /// The part `interval` of dimension `dim`.
  Tensor part(int64_t dim, Interval interval) const;

  /// Whether type and elements are the same, bit by bit but for NaN, which
  /// equals itself.
  bool isIdenticalTo(const Tensor& other) const;

  /// "[[1, 2], [3, 4]]", with nine significant digits.
  std::string str() const;

 private:
  using Elements = std::variant<std::vector<double>, std::vector<int64_t>>;

  Tensor(RankedTensorType type, std::shared_ptr<const Elements> elements);

  RankedTensorType type_;
  std::shared_ptr<const Elements> elements_;
};

/// `parts`, at least one, joined along `dim`. Their shapes differ there only.
Tensor joined(ArrayRef<Tensor> parts, int64_t dim);

/// The tensor that `build` makes of a zero of the kind of element that `type`
/// holds, double or int64_t: for what moves elements without looking at them.
template <typename Build>
Tensor buildByElement(Type elementType, Build build) {
  if (llvm::isa<mlir::FloatType>(elementType)) return build(double{});
  return build(int64_t{});
}

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_TENSOR_H_
