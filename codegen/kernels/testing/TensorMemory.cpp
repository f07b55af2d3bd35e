#include "codegen/kernels/testing/TensorMemory.h"

#include <vector>

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/ErrorHandling.h"

namespace sbp {
namespace {

using interpreter::Tensor;

/// An element in memory that is a number of C++.
template <typename T>
struct Plain {
  T value;

  template <typename Number>
  static Plain of(Number number) {
    return {static_cast<T>(number)};
  }
  T number() const { return value; }
};

struct BFloat16 {
  uint16_t bits;

  /// `number` has to be one of bf16.
  static BFloat16 of(double number) {
    llvm::APFloat value(number);
    bool losesInfo = false;
    value.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return {static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue())};
  }
  double number() const {
    llvm::APFloat value(llvm::APFloat::BFloat(), llvm::APInt(16, bits));
    bool losesInfo = false;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return value.convertToDouble();
  }
};

/// Calls `visit` with an element as it is in memory, and with one as the
/// interpreter counts.
template <typename Visit>
auto withTypes(mlir::Type element, Visit visit) {
  if (element.isF32()) return visit(Plain<float>(), double());
  if (element.isBF16()) return visit(BFloat16(), double());
  if (element.isInteger(64)) return visit(Plain<int64_t>(), int64_t());
  if (element.isInteger(32)) return visit(Plain<int32_t>(), int64_t());
  if (element.isInteger(1)) return visit(Plain<uint8_t>(), int64_t());
  llvm_unreachable("generated code has f32, bf16, i64, i32 and i1");
}

}  // namespace

int64_t bytesOf(mlir::RankedTensorType type) {
  int64_t width = withTypes(type.getElementType(), [](auto element, auto) {
    return static_cast<int64_t>(sizeof element);
  });
  return type.getNumElements() * width;
}

void storeTensor(const Tensor& tensor, void* memory) {
  withTypes(tensor.elementType(), [&](auto element, auto number) {
    auto* to = static_cast<decltype(element)*>(memory);
    for (auto from : tensor.elements<decltype(number)>())
      *to++ = decltype(element)::of(from);
  });
}

Tensor loadTensor(mlir::RankedTensorType type, const void* memory) {
  return withTypes(type.getElementType(), [&](auto element, auto number) {
    const auto* from = static_cast<const decltype(element)*>(memory);
    std::vector<decltype(number)> numbers;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      numbers.push_back(from[i].number());
    return Tensor(type, std::move(numbers));
  });
}

}  // namespace sbp
