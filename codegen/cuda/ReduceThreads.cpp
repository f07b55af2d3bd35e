#include "codegen/cuda/ReduceThreads.h"

#include <algorithm>
#include <cassert>

#include "codegen/cuda/SharedMemory.h"
#include "codegen/cuda/ThreadLoops.h"
#include "codegen/kernels/Rows.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

constexpr int64_t kWarpsOfBlock = kThreadsOfBlock / kThreadsOfWarp;

Value reduceInWarp(KernelBuilder& builder, CombiningKind kind, Value value,
                   int64_t threads) {
  for (int64_t distance = threads / 2; distance > 0; distance /= 2) {
    Value other =
        gpu::ShuffleOp::create(builder, value, static_cast<int32_t>(distance),
                               static_cast<int32_t>(kThreadsOfWarp),
                               gpu::ShuffleMode::XOR)
            .getShuffleResult();
    value = combine(builder, kind, value, other);
  }
  return value;
}

}  // namespace

Value reduceThreads(KernelBuilder& builder, CombiningKind kind, Value value,
                    int64_t threads) {
  assert(((llvm::isPowerOf2_64(threads) && threads <= kThreadsOfWarp) ||
          threads == kThreadsOfBlock) &&
         "a part of a warp, or a block");
  value = reduceInWarp(builder, kind, value, std::min(threads, kThreadsOfWarp));
  if (threads <= kThreadsOfWarp) return value;

  // Warps exchange their results through shared memory.
  const ElementRef shared = addShared(builder, value.getType(), kWarpsOfBlock);
  Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
  Value lane = builder.rem(thread, kThreadsOfWarp);
  builder.branch(builder.isEqual(lane, builder.index(0)), [&] {
    builder.store(value,
                  builder.at(shared, builder.div(thread, kThreadsOfWarp)));
  });
  gpu::BarrierOp::create(builder);
  Value total = builder.load(shared);
  for (int64_t warp = 1; warp < kWarpsOfBlock; ++warp)
    total =
        combine(builder, kind, total, builder.load(builder.at(shared, warp)));
  return total;
}

}  // namespace sbp::cuda
