#include "codegen/kernels/StridedTensor.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

using namespace mlir;

SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

StridedTensor broadcastTo(ArrayRef<int64_t> shape, Value tensor,
                          ElementRef first) {
  auto type = cast<RankedTensorType>(tensor.getType());
  size_t missing = shape.size() - type.getRank();
  SmallVector<int64_t> strides(missing, 0);
  strides.append(rowMajorStrides(type.getShape()));
  for (size_t dim = missing; dim < shape.size(); ++dim)
    if (type.getDimSize(dim - missing) != shape[dim]) strides[dim] = 0;
  return {first, type.getElementType(), std::move(strides)};
}

StridedTensor dense(Value tensor, ElementRef first) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return broadcastTo(type.getShape(), tensor, first);
}

StridedTensor shifted(KernelBuilder& builder, StridedTensor tensor,
                      ArrayRef<int64_t> offsets) {
  for (auto [offset, stride] : llvm::zip_equal(offsets, tensor.strides))
    tensor.first = builder.at(tensor.first, offset * stride);
  return tensor;
}

MergedLoops merge(ArrayRef<int64_t> extents, ArrayRef<StridedTensor> tensors) {
  MergedLoops merged;
  for (size_t loop = 0; loop < extents.size(); ++loop) {
    int64_t extent = extents[loop];
    if (extent == 1) continue;
    SmallVector<int64_t> strides;
    for (const StridedTensor& tensor : tensors)
      strides.push_back(tensor.strides[loop]);
    auto continues = [&](auto pair) {
      auto [outer, inner] = pair;
      return outer == inner * extent;
    };
    if (!merged.extents.empty() &&
        llvm::all_of(llvm::zip_equal(merged.strides.back(), strides),
                     continues)) {
      merged.extents.back() *= extent;
      merged.strides.back() = std::move(strides);
    } else {
      merged.extents.push_back(extent);
      merged.strides.push_back(std::move(strides));
    }
  }
  return merged;
}

Type memoryType(Type elementType) {
  return elementType.isInteger(1)
             ? IntegerType::get(elementType.getContext(), 8)
             : elementType;
}

Value loadElement(KernelBuilder& builder, ElementRef ref, Type elementType) {
  Value value = builder.load(ref);
  if (!elementType.isInteger(1)) return value;
  Value zero = arith::ConstantIntOp::create(builder, value.getType(), 0);
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, value, zero);
}

void storeElement(KernelBuilder& builder, Value value, ElementRef ref) {
  if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(builder, ref.elementType(), value);
  builder.store(value, ref);
}

void fill(KernelBuilder& builder, ElementRef first, int64_t numElements,
          Value value) {
  builder.loop(0, numElements, 1, [&](Value i) {
    storeElement(builder, value, builder.at(first, i));
  });
}

}  // namespace sbp
