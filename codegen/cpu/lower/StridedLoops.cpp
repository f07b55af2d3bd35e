#include "codegen/cpu/lower/StridedLoops.h"

#include <cassert>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// Loops of extents and strides, as few as do the same.
struct MergedLoops {
  SmallVector<int64_t> extents;
  SmallVector<SmallVector<int64_t>> strides;  // of each loop, in each tensor
};

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

}  // namespace

SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

StridedTensor broadcastTo(ArrayRef<int64_t> shape, Value tensor, Place first) {
  auto type = cast<RankedTensorType>(tensor.getType());
  size_t missing = shape.size() - type.getRank();
  SmallVector<int64_t> strides(missing, 0);
  strides.append(rowMajorStrides(type.getShape()));
  for (size_t dim = missing; dim < shape.size(); ++dim)
    if (type.getDimSize(dim - missing) != shape[dim]) strides[dim] = 0;
  return {first, type.getElementType(), std::move(strides)};
}

void buildStridedLoops(KernelBuilder& builder, ArrayRef<int64_t> extents,
                       ArrayRef<StridedTensor> inputs,
                       ArrayRef<StridedTensor> outputs,
                       ComputeElement compute) {
  SmallVector<StridedTensor> tensors(inputs);
  llvm::append_range(tensors, outputs);
  MergedLoops merged = merge(extents, tensors);
  builder.loops(merged.extents, [&](ValueRange indices) {
    auto placeIn = [&](size_t tensor) {
      Place place = tensors[tensor].first;
      for (auto [index, strides] : llvm::zip_equal(indices, merged.strides))
        if (strides[tensor])
          place = builder.at(place, builder.mul(index, strides[tensor]));
      return place;
    };
    SmallVector<Value> elements;
    for (size_t i = 0; i < inputs.size(); ++i)
      elements.push_back(
          loadElement(builder, placeIn(i), inputs[i].elementType));
    SmallVector<Value> results = compute(elements);
    assert(results.size() == outputs.size() && "one value for each output");
    for (auto [i, result] : llvm::enumerate(results))
      storeElement(builder, result, placeIn(inputs.size() + i));
  });
}

void copyStrided(KernelBuilder& builder, ArrayRef<int64_t> extents,
                 StridedTensor input, StridedTensor output) {
  buildStridedLoops(builder, extents, input, output, [](ValueRange element) {
    return llvm::to_vector_of<Value>(element);
  });
}

void fill(KernelBuilder& builder, Place first, int64_t numElements,
          Value value) {
  builder.loop(0, numElements, 1, [&](Value i) {
    storeElement(builder, value, builder.at(first, i));
  });
}

Value loadElement(KernelBuilder& builder, Place place, Type elementType) {
  Value value = builder.load(place);
  if (!elementType.isInteger(1)) return value;
  Value zero = arith::ConstantIntOp::create(builder, value.getType(), 0);
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, value, zero);
}

void storeElement(KernelBuilder& builder, Value value, Place place) {
  if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(builder, place.elementType(), value);
  builder.store(value, place);
}

}  // namespace sbp::cpu
