#include "codegen/interpreter/kernels/TensorMemory.h"

#include <vector>

#include "llvm/Support/ErrorHandling.h"
#include "runtime/math/BFloat16.h"

namespace sbp::interpreter {
namespace {

/// Calls `visit` with a value of the type that an element has in memory, and
/// with a value of the type that the interpreter computes with.
template <typename Visit>
auto withTypes(mlir::Type element, Visit visit) {
  if (element.isF32()) return visit(float(), double());
  if (element.isBF16()) return visit(math::BFloat16(), double());
  if (element.isInteger(64)) return visit(int64_t(), int64_t());
  if (element.isInteger(32)) return visit(int32_t(), int64_t());
  if (element.isInteger(1)) return visit(uint8_t(), int64_t());
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
      *to++ = static_cast<decltype(element)>(from);
  });
}

Tensor loadTensor(mlir::RankedTensorType type, const void* memory) {
  return withTypes(type.getElementType(), [&](auto element, auto number) {
    const auto* from = static_cast<const decltype(element)*>(memory);
    std::vector<decltype(number)> numbers;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      numbers.push_back(static_cast<decltype(number)>(from[i]));
    return Tensor(type, std::move(numbers));
  });
}

}  // namespace sbp::interpreter
