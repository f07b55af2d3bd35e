#include "codegen/cpu/VectorLoops.h"

#include <cassert>

#include "codegen/cpu/VectorRows.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp::cpu {

using namespace mlir;

void VectorLoops::forEachElement(KernelBuilder& builder,
                                 ArrayRef<int64_t> extents,
                                 ArrayRef<StridedTensor> inputs,
                                 ArrayRef<StridedTensor> outputs,
                                 Compute compute) {
  SmallVector<StridedTensor> tensors(inputs);
  llvm::append_range(tensors, outputs);
  MergedLoops merged = merge(extents, tensors);
  builder.loops(merged.extents, [&](ValueRange indices) {
    auto placeIn = [&](size_t tensor) {
      ElementRef place = tensors[tensor].first;
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

void VectorLoops::forEachRows(KernelBuilder& builder, RowShape shape,
                              Type element,
                              llvm::function_ref<void(Rows&)> body) {
  VectorRows::forEach(builder, target_, shape, element, body);
}

}  // namespace sbp::cpu
