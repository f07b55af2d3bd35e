#include "codegen/cuda/SumOfSquares.h"

#include <algorithm>

#include "codegen/cuda/SharedMemory.h"
#include "codegen/cuda/ThreadLoops.h"
#include "codegen/cuda/VectorAccess.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Number of elements per thread, if kMostBlocks blocks are enough for that.
/// More blocks read faster, but the host has to add up more sums.
constexpr int64_t kElementsOfThread = 16;
constexpr int64_t kMostBlocks = 256;

}  // namespace

int64_t blocksOfSquares(int64_t numElements) {
  return std::clamp<int64_t>(
      llvm::divideCeil(numElements, kThreadsOfBlock * kElementsOfThread), 1,
      kMostBlocks);
}

void sumSquares(KernelBuilder& builder, ElementRef elements,
                int64_t numElements, ElementRef sums) {
  const Type f64 = builder.getF64Type();
  const auto add = [&](Value sum, Value term) -> Value {
    return arith::AddFOp::create(builder, sum, term);
  };
  Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, gpu::Dimension::x);
  const Value zero = builder.number(f64, 0);
  // A thread takes every k-th element, where k is the number of all threads.
  Value mine = builder.loop(
      builder.add(builder.mul(block, kThreadsOfBlock), thread),
      builder.index(numElements),
      blocksOfSquares(numElements) * kThreadsOfBlock, zero,
      [&](Value number, ValueRange carried) -> SmallVector<Value> {
        Value element = arith::ExtFOp::create(
            builder, f64, loadOne(builder, builder.at(elements, number)));
        return {
            add(carried[0], arith::MulFOp::create(builder, element, element))};
      })[0];
  const ElementRef ofThreads = addShared(builder, f64, kThreadsOfBlock);
  builder.store(mine, builder.at(ofThreads, thread));
  gpu::BarrierOp::create(builder);
  builder.branch(builder.isEqual(thread, builder.index(0)), [&] {
    Value sum = builder.loop(
        builder.index(0), builder.index(kThreadsOfBlock), 1, zero,
        [&](Value other, ValueRange carried) -> SmallVector<Value> {
          return {add(carried[0], builder.load(builder.at(ofThreads, other)))};
        })[0];
    builder.store(sum, builder.at(sums, block));
  });
}

}  // namespace sbp::cuda
