// Kernels of nn.reduce: each result is a thread's, or, where results are few, a
// block's.

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/Families.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ReduceKinds.h"
#include "codegen/kernels/Rows.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

/// With fewer results than threads that a chip can run at once, each one of so
/// many terms is a block's.
constexpr int64_t kFewResults = 1 << 14;
constexpr int64_t kManyTerms = 2 * kThreadsOfBlock;

/// Dimensions of the input that are gone through together, as one number.
struct Dims {
  SmallVector<int64_t> extents, strides;

  int64_t size() const {
    int64_t size = 1;
    for (int64_t extent : extents) size *= extent;
    return size;
  }

  /// The offset in the input of what has `number` among them.
  Value offsetOf(KernelBuilder& builder, Value number) const {
    Value offset = builder.index(0);
    for (auto [index, stride] :
         llvm::zip_equal(indicesOf(builder, number, extents), strides))
      offset = builder.add(offset, builder.mul(index, stride));
    return offset;
  }
};

void emitReduce(nn::ReduceOp op, KernelBuilder& builder,
                const KernelArguments& arguments) {
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  SmallVector<int64_t> strides = rowMajorStrides(shape);
  Dims kept, reduced;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    Dims& dims = llvm::is_contained(op.getDims(), static_cast<int64_t>(dim))
                     ? reduced
                     : kept;
    if (extent == 1) continue;
    dims.extents.push_back(extent);
    dims.strides.push_back(strides[dim]);
  }
  Type element = op.getInput().getType().getElementType();
  auto type = VectorType::get(1, computeType(element));
  const CombiningKind kind = combiningKind(op.getKind(), element);
  const bool canShuffle = type.getElementTypeBitWidth() == 32;
  const int64_t threads =
      canShuffle && kept.size() < kFewResults && reduced.size() >= kManyTerms
          ? kThreadsOfBlock
          : 1;
  arguments.threads.forNumbers(
      builder, kept.size(), threads, [&](Value number) {
        Place first =
            builder.at(arguments.operands[0], kept.offsetOf(builder, number));
        Value thread = builder.index(0);
        if (threads > 1)
          thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
        Value total = builder.loop(
            thread, builder.index(reduced.size()), threads,
            neutralElement(builder, kind, type),
            [&](Value i, ValueRange carried) -> SmallVector<Value> {
              Value term = loadLanes(
                  builder, builder.at(first, reduced.offsetOf(builder, i)),
                  element, 1);
              return {combine(builder, kind, carried.front(), term)};
            })[0];
        Value scalar = vector::ExtractOp::create(builder, total, 0);
        if (threads > 1) scalar = reduceThreads(builder, kind, scalar, threads);
        Arithmetic x(builder);
        if (op.getKind() == nn::ReduceKind::Mean)
          scalar = x.div(scalar, x.like(scalar, op.getDivisor()));
        Place to = builder.at(arguments.results[0], number);
        if (threads == 1) return storeOne(builder, scalar, to);
        builder.branch(builder.isEqual(thread, builder.index(0)),
                       [&] { storeOne(builder, scalar, to); });
      });
}

}  // namespace

void attachReduceKernels(MLIRContext& context) {
  nn::ReduceOp::attachInterface<SimpleKernel<nn::ReduceOp, emitReduce>>(
      context);
}

}  // namespace sbp::cuda
