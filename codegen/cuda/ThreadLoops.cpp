#include "codegen/cuda/ThreadLoops.h"

#include <algorithm>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/ThreadRows.h"
#include "codegen/cuda/VectorAccess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Greatest number of vectors per thread with which a warp still takes a row;
/// longer rows take a block.
constexpr int64_t kVectorsOfShortRow = 8;

/// Returns the number of elements along the innermost of `loops` that one
/// access of each tensor takes: 1 unless all tensors are contiguous and aligned
/// there.
int64_t lanesOf(const MergedLoops& loops, ArrayRef<StridedTensor> tensors) {
  if (loops.extents.empty()) return 1;
  int64_t widest = 1;
  for (const StridedTensor& tensor : tensors)
    widest = std::max<int64_t>(
        widest, tensor.first.elementType().getIntOrFloatBitWidth() / 8);
  const int64_t lanes = kBytesOfAccess / widest;
  // If there is a single loop, forEachElement takes the remaining elements one
  // by one.
  if (loops.extents.size() > 1 && loops.extents.back() % lanes != 0) return 1;
  if (loops.extents.back() < lanes) return 1;
  for (auto [index, tensor] : llvm::enumerate(tensors)) {
    const int64_t innermost = loops.strides.back()[index];
    if (innermost == 0) continue;
    std::optional<int64_t> first = getConstantIntValue(tensor.first.offset);
    if (innermost != 1 || !first || *first % lanes != 0) return 1;
    for (const SmallVector<int64_t>& strides :
         ArrayRef(loops.strides).drop_back())
      if (strides[index] % lanes != 0) return 1;
  }
  return lanes;
}

/// Emits the code of one thread for adjacent elements of merged loops.
class ElementCode {
 public:
  ElementCode(KernelBuilder& builder, const MergedLoops& loops,
              ArrayRef<StridedTensor> inputs, ArrayRef<StridedTensor> outputs,
              ParallelLoops::Compute compute)
      : builder_(builder),
        loops_(loops),
        inputs_(inputs),
        outputs_(outputs),
        compute_(compute) {}

  /// Emits loads, computation and stores of the `lanes` elements from `indices`
  /// on; there is an index per loop.
  void emit(ArrayRef<Value> indices, int64_t lanes) {
    SmallVector<Value> elements;
    for (auto [i, input] : llvm::enumerate(inputs_))
      elements.push_back(
          load(input, refIn(i, input, indices), isSame(i) ? 1 : lanes, lanes));
    SmallVector<Value> results = compute_(elements);
    for (auto [i, result] : llvm::enumerate(results))
      storeLanes(builder_, result,
                 refIn(inputs_.size() + i, outputs_[i], indices));
  }

 private:
  /// Whether the innermost loop accesses only one element of tensor `index`.
  bool isSame(size_t index) const {
    return !loops_.strides.empty() && loops_.strides.back()[index] == 0;
  }

  ElementRef refIn(size_t index, const StridedTensor& tensor,
                   ArrayRef<Value> indices) {
    ElementRef ref = tensor.first;
    for (auto [i, strides] : llvm::zip_equal(indices, loops_.strides))
      if (strides[index])
        ref = builder_.at(ref, builder_.mul(i, strides[index]));
    return ref;
  }

  Value load(const StridedTensor& tensor, ElementRef ref, int64_t loaded,
             int64_t lanes) {
    Value value = loadLanes(builder_, ref, tensor.elementType, loaded);
    if (loaded == lanes) return value;
    auto type = cast<VectorType>(value.getType());
    return vector::BroadcastOp::create(
        builder_, VectorType::get(lanes, type.getElementType()),
        vector::ExtractOp::create(builder_, value, 0));
  }

  KernelBuilder& builder_;
  const MergedLoops& loops_;
  ArrayRef<StridedTensor> inputs_, outputs_;
  ParallelLoops::Compute compute_;
};

}  // namespace

Value ThreadLoops::opOfBlock(KernelBuilder& builder) const {
  return builder.rem(gpu::BlockIdOp::create(builder, gpu::Dimension::x),
                     numOps_);
}

void ThreadLoops::forEachItem(KernelBuilder& builder, int64_t count,
                              int64_t threads,
                              llvm::function_ref<void(Value)> body) {
  if (count == 0) return;
  const int64_t perBlock = kThreadsOfBlock / threads;
  numBlocks_ = std::max<int64_t>(numBlocks_, llvm::divideCeil(count, perBlock));
  Value block =
      builder.div(gpu::BlockIdOp::create(builder, gpu::Dimension::x), numOps_);
  Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
  Value number =
      builder.add(builder.mul(block, perBlock), builder.div(thread, threads));
  builder.branch(builder.isLess(number, builder.index(count)),
                 [&] { body(number); });
}

Type ThreadLoops::computeType(Type elementType) const {
  return cuda::computeType(elementType);
}

void ThreadLoops::forEachElement(KernelBuilder& builder,
                                 ArrayRef<int64_t> extents,
                                 ArrayRef<StridedTensor> inputs,
                                 ArrayRef<StridedTensor> outputs,
                                 Compute compute) {
  SmallVector<StridedTensor> tensors(inputs);
  llvm::append_range(tensors, outputs);
  if (llvm::is_contained(extents, 0)) return;
  const MergedLoops loops = merge(extents, tensors);
  const int64_t lanes = lanesOf(loops, tensors);
  int64_t numElements = 1;
  for (int64_t extent : loops.extents) numElements *= extent;
  const int64_t numVectors = numElements / lanes;
  SmallVector<int64_t> ofVectors = loops.extents;
  if (!ofVectors.empty()) ofVectors.back() /= lanes;
  ElementCode code(builder, loops, inputs, outputs, compute);
  forEachItem(builder, numVectors, /*threads=*/1, [&](Value number) {
    SmallVector<Value> indices = indicesOf(builder, number, ofVectors);
    if (!indices.empty()) indices.back() = builder.mul(indices.back(), lanes);
    code.emit(indices, lanes);
  });
  const int64_t rest = numElements - numVectors * lanes;
  if (rest == 0) return;
  forEachItem(builder, rest, /*threads=*/1, [&](Value number) {
    code.emit({builder.add(number, numVectors * lanes)}, 1);
  });
}

void ThreadLoops::forEachRows(KernelBuilder& builder, RowShape shape,
                              Type element,
                              llvm::function_ref<void(Rows&)> body) {
  if (shape.outer == 0 || shape.inner == 0) return;
  Type compute = cuda::computeType(element);
  const int64_t wanted = lanesOfAccess(element);
  const int64_t across = shape.inner == 1 ? shape.length : shape.inner;
  const int64_t lanes = across > 0 && across % wanted == 0 ? wanted : 1;
  auto type = VectorType::get(lanes, compute);
  if (shape.inner > 1) {
    const int64_t perOuter = shape.inner / lanes;
    return forEachItem(
        builder, shape.outer * perOuter, /*threads=*/1, [&](Value number) {
          Value outer = builder.div(number, perOuter);
          Value inner = builder.mul(builder.rem(number, perOuter), lanes);
          Value offset = builder.add(
              builder.mul(outer, shape.length * shape.inner), inner);
          Value row = builder.add(builder.mul(outer, shape.inner), inner);
          ThreadRows rows(builder, shape, type, /*threads=*/1, builder.index(0),
                          offset, row);
          body(rows);
        });
  }
  const bool isShort =
      shape.length <= kVectorsOfShortRow * kThreadsOfWarp * lanes;
  const int64_t threads = isShort ? kThreadsOfWarp : kThreadsOfBlock;
  forEachItem(builder, shape.outer, threads, [&](Value row) {
    Value thread = builder.rem(
        gpu::ThreadIdOp::create(builder, gpu::Dimension::x), threads);
    ThreadRows rows(builder, shape, type, threads, thread,
                    builder.mul(row, shape.length), row);
    body(rows);
  });
}

}  // namespace sbp::cuda
