#include "codegen/interpreter/Tensor.h"

#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::interpreter {
namespace {

RankedTensorType withoutPlacement(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// Returns the value of `type` nearest to `value`, ties to even.
double rounded(double value, mlir::FloatType type) {
  if (type.isF64()) return value;
  if (type.isF32()) return static_cast<float>(value);
  llvm::APFloat narrow(value);
  bool losesInfo = false;
  narrow.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return narrow.convertToDouble();
}

int64_t wrapped(int64_t value, unsigned width) {
  if (width == 1) return value & 1;
  return llvm::SignExtend64(static_cast<uint64_t>(value), width);
}

int64_t productOf(ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1},
                         std::multiplies<>());
}

}  // namespace

Tensor::Tensor(RankedTensorType type, std::shared_ptr<const Elements> elements)
    : type_(withoutPlacement(type)), elements_(std::move(elements)) {
  assert(std::visit([](const auto& list) { return list.size(); }, *elements_) ==
             static_cast<size_t>(numElements()) &&
         "a tensor has as many elements as its type says");
}

Tensor::Tensor(RankedTensorType type, std::vector<double> elements) {
  auto elementType = llvm::cast<mlir::FloatType>(type.getElementType());
  for (double& element : elements) element = rounded(element, elementType);
  *this = Tensor(type, std::make_shared<const Elements>(std::move(elements)));
}

Tensor::Tensor(RankedTensorType type, std::vector<int64_t> elements) {
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  for (int64_t& element : elements) element = wrapped(element, width);
  *this = Tensor(type, std::make_shared<const Elements>(std::move(elements)));
}

Tensor Tensor::splat(RankedTensorType type, double value) {
  return buildByElement(type.getElementType(), [&](auto zero) {
    using Element = decltype(zero);
    return Tensor(type, std::vector<Element>(type.getNumElements(),
                                             static_cast<Element>(value)));
  });
}

Tensor Tensor::of(mlir::DenseElementsAttr elements) {
  auto type = llvm::cast<RankedTensorType>(elements.getType());
  if (llvm::isa<mlir::FloatType>(type.getElementType())) {
    std::vector<double> doubles;
    for (llvm::APFloat value : elements.getValues<llvm::APFloat>()) {
      bool losesInfo = false;
      value.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      doubles.push_back(value.convertToDouble());
    }
    return Tensor(type, std::move(doubles));
  }
  std::vector<int64_t> integers;
  for (const llvm::APInt& value : elements.getValues<llvm::APInt>())
    integers.push_back(value.getSExtValue());
  return Tensor(type, std::move(integers));
}

bool Tensor::isFloat() const {
  return llvm::isa<mlir::FloatType>(elementType());
}

double Tensor::scalar() const {
  assert(numElements() == 1 && "a scalar has one element");
  return asDouble(0);
}

double Tensor::asDouble(int64_t index) const {
  if (isFloat()) return floats()[index];
  return static_cast<double>(integers()[index]);
}

Tensor Tensor::reshaped(ArrayRef<int64_t> shape) const {
  return Tensor(RankedTensorType::get(shape, elementType()), elements_);
}

Tensor Tensor::gathered(ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> sources) const {
  return buildByElement(elementType(), [&](auto zero) {
    using Element = decltype(zero);
    ArrayRef<Element> from = elements<Element>();
    std::vector<Element> to;
    to.reserve(sources.size());
    for (int64_t source : sources)
      to.push_back(source == kNoSource ? zero : from[source]);
    return Tensor(RankedTensorType::get(shape, elementType()), std::move(to));
  });
}

Tensor Tensor::part(int64_t dim, Interval interval) const {
  SmallVector<int64_t> partShape(shape());
  partShape[dim] = interval.size();
  int64_t outer = productOf(shape().take_front(dim));
  int64_t inner = productOf(shape().drop_front(dim + 1));
  std::vector<int64_t> sources;
  for (int64_t row = 0; row < outer; ++row) {
    int64_t first = row * shape()[dim] * inner;
    for (int64_t offset = interval.begin * inner; offset < interval.end * inner;
         ++offset)
      sources.push_back(first + offset);
  }
  return gathered(partShape, sources);
}

bool Tensor::isIdenticalTo(const Tensor& other) const {
  if (type() != other.type()) return false;
  if (!isFloat()) return integers() == other.integers();
  return std::equal(floats().begin(), floats().end(), other.floats().begin(),
                    [](double a, double b) {
                      return (a == b && std::signbit(a) == std::signbit(b)) ||
                             (std::isnan(a) && std::isnan(b));
                    });
}

std::string Tensor::str() const {
  int64_t next = 0;
  std::function<std::string(ArrayRef<int64_t>)> format =
      [&](ArrayRef<int64_t> extents) -> std::string {
    if (extents.empty()) {
      int64_t index = next++;
      return isFloat() ? fmt::format("{:.9g}", floats()[index])
                       : fmt::format("{}", integers()[index]);
    }
    std::string text = "[";
    for (int64_t index = 0; index < extents.front(); ++index)
      text += (index > 0 ? ", " : "") + format(extents.drop_front());
    return text + "]";
  };
  return format(shape());
}

Tensor joined(ArrayRef<Tensor> parts, int64_t dim) {
  const Tensor& first = parts.front();
  SmallVector<int64_t> shape(first.shape());
  shape[dim] = 0;
  for (const Tensor& part : parts) shape[dim] += part.shape()[dim];

  int64_t outer = productOf(first.shape().take_front(dim));
  int64_t inner = productOf(first.shape().drop_front(dim + 1));
  return buildByElement(first.elementType(), [&](auto zero) {
    using Element = decltype(zero);
    std::vector<Element> elements;
    for (int64_t row = 0; row < outer; ++row)
      for (const Tensor& part : parts) {
        int64_t count = part.shape()[dim] * inner;
        ArrayRef<Element> chunk =
            part.elements<Element>().slice(row * count, count);
        elements.insert(elements.end(), chunk.begin(), chunk.end());
      }
    return Tensor(RankedTensorType::get(shape, first.elementType()),
                  std::move(elements));
  });
}

}  // namespace sbp::interpreter
