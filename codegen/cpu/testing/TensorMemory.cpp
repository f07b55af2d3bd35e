#include "codegen/cpu/testing/TensorMemory.h"

#include <algorithm>
#include <vector>

#include "llvm/Support/ErrorHandling.h"

namespace sbp::cpu {
namespace {

using interpreter::Tensor;

/// Calls `visit` with a value of the type that an element has in memory, and
/// one of the type that the interpreter counts in.
template <typename Visit>
auto withTypes(mlir::Type element, Visit visit) {
  if (element.isF32()) return visit(float(), double());
  if (element.isInteger(64)) return visit(int64_t(), int64_t());
  if (element.isInteger(32)) return visit(int32_t(), int64_t());
  if (element.isInteger(1)) return visit(uint8_t(), int64_t());
  llvm_unreachable("generated code has f32, i64, i32 and i1");
}

}  // namespace

int64_t bytesOf(mlir::RankedTensorType type) {
  int64_t width = withTypes(type.getElementType(), [](auto element, auto) {
    return static_cast<int64_t>(sizeof element);
  });
  return type.getNumElements() * width;
}

void store(const Tensor& tensor, void* memory) {
  withTypes(tensor.elementType(), [&](auto element, auto number) {
    llvm::ArrayRef<decltype(number)> from = tensor.elements<decltype(number)>();
    std::copy(from.begin(), from.end(),
              static_cast<decltype(element)*>(memory));
  });
}

Tensor load(mlir::RankedTensorType type, const void* memory) {
  return withTypes(type.getElementType(), [&](auto element, auto number) {
    const auto* from = static_cast<const decltype(element)*>(memory);
    return Tensor(type, std::vector<decltype(number)>(
                            from, from + type.getNumElements()));
  });
}

}  // namespace sbp::cpu
