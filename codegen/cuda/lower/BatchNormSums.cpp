// Kernels of nn.batch_variance and nn.batch_norm_sums. Both compute sums over
// all elements of a channel, in two launches:
//
//   launch 1   a block per channel and part of its elements: the part's sums
//   launch 2   a thread per channel: the sums of the parts

#include <algorithm>

#include "codegen/cuda/AddPartialSums.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "dialects/nn/Nn.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

/// Number of elements of a channel above which it is divided into several
/// parts, and the greatest number of parts.
constexpr int64_t kElementsOfPart = 16 * kThreadsOfBlock, kMostParts = 64;

/// The shape of a tensor [samples, channels, ...], and the division of each
/// channel into parts. A plane is one channel of one sample; its elements are
/// contiguous.
struct Channels {
  int64_t samples, channels, points;  // points: elements of a plane
  Type element;
  int64_t lanes;  // number of elements of one access
  int64_t parts;  // number of parts of a channel

  explicit Channels(RankedTensorType type)
      : samples(type.getDimSize(0)),
        channels(type.getDimSize(1)),
        points(1),
        element(type.getElementType()) {
    for (int64_t extent : type.getShape().drop_front(2)) points *= extent;
    const int64_t wanted = lanesOfAccess(element);
    lanes = points % wanted == 0 ? wanted : 1;
    parts = std::clamp<int64_t>(
        llvm::divideCeil(samples * points, kElementsOfPart), 1, kMostParts);
  }

  /// Number of vectors of a channel, and greatest number of vectors of a part.
  int64_t numVectors() const { return samples * points / lanes; }
  int64_t vectorsOfPart() const {
    return llvm::divideCeil(numVectors(), parts);
  }

  /// Returns the offset in the tensor of vector `i` of `channel`.
  Value offsetOf(KernelBuilder& builder, Value channel, Value i) const {
    // Empty planes have no vector; 1 avoids a division by zero.
    const int64_t vectorsOfPlane = std::max<int64_t>(points / lanes, 1);
    Value plane = builder.add(
        builder.mul(builder.div(i, vectorsOfPlane), channels), channel);
    return builder.add(builder.mul(plane, points),
                       builder.mul(builder.rem(i, vectorsOfPlane), lanes));
  }
};

// ---- The terms of the sums that an op computes ----

/// Emits the term of each sum from one element of each operand.
SmallVector<Value> termsOf(nn::BatchVarianceOp, Arithmetic& x, ValueRange in) {
  Value distance = x.sub(in[0], in[1]);
  return {x.mul(distance, distance)};
}
SmallVector<Value> termsOf(nn::BatchNormSumsOp, Arithmetic& x, ValueRange in) {
  return {x.mul(in[2], x.sub(in[0], in[1])), in[2]};
}

/// Emits the result from its sum.
Value resultOf(nn::BatchVarianceOp op, Arithmetic& x, Value sum) {
  return x.div(sum, x.like(sum, op.getDivisor()));
}
Value resultOf(nn::BatchNormSumsOp, Arithmetic&, Value sum) { return sum; }

// ---- The kernel ----

template <typename Op>
class ChannelSumsKernel
    : public CudaKernelOpInterface::ExternalModel<ChannelSumsKernel<Op>, Op> {
 public:
  int64_t getGpuScratchBytes(Operation* op) const {
    const Channels channels = channelsOf(cast<Op>(op));
    return op->getNumResults() * channels.parts * channels.channels *
           computeType(channels.element).getIntOrFloatBitWidth() / 8;
  }

  void buildKernel(Operation* op, Launches& launches) const {
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitParts(cast<Op>(op), builder, arguments);
    });
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitSums(cast<Op>(op), builder, arguments);
    });
  }

 private:
  static Channels channelsOf(Op op) {
    return Channels(cast<RankedTensorType>(op.getInput().getType()));
  }

  /// Returns the partial sums of result `result` in scratch memory, [part,
  /// channel].
  static ElementRef sumsOf(const Channels& channels, KernelBuilder& builder,
                           ElementRef scratch, size_t result) {
    Type type = computeType(channels.element);
    const int64_t count = channels.parts * channels.channels;
    const int64_t bytes = count * type.getIntOrFloatBitWidth() / 8;
    return builder.view(scratch, static_cast<int64_t>(result) * bytes, type,
                        count);
  }

  static void emitParts(Op op, KernelBuilder& builder,
                        const KernelArguments& arguments) {
    const Channels channels = channelsOf(op);
    arguments.threads.forEachItem(
        builder, channels.parts * channels.channels, kThreadsOfBlock,
        [&](Value number) {
          Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
          SmallVector<Value> sums =
              sumsOfPart(op, channels, builder, arguments,
                         builder.rem(number, channels.channels),
                         builder.div(number, channels.channels), thread);
          for (auto [result, sum] : llvm::enumerate(sums)) {
            sum = reduceThreads(
                builder, CombiningKind::ADD,
                vector::ReductionOp::create(builder, CombiningKind::ADD, sum),
                kThreadsOfBlock);
            ElementRef to = builder.at(
                sumsOf(channels, builder, arguments.scratch, result), number);
            builder.branch(builder.isEqual(thread, builder.index(0)),
                           [&, sum = sum] { storeOne(builder, sum, to); });
          }
        });
  }

  /// Emits the thread's share of the sums over a part, one vector per sum.
  static SmallVector<Value> sumsOfPart(Op op, const Channels& channels,
                                       KernelBuilder& builder,
                                       const KernelArguments& arguments,
                                       Value channel, Value part,
                                       Value thread) {
    Arithmetic x(builder);
    Value center = builder.broadcast(
        loadOne(builder, builder.at(arguments.operands[1], channel)),
        channels.lanes);
    Value begin = builder.mul(part, channels.vectorsOfPart());
    Value end = builder.min(builder.add(begin, channels.vectorsOfPart()),
                            builder.index(channels.numVectors()));
    SmallVector<Value> zeros(op->getNumResults(), x.like(center, 0));
    return builder.loop(
        builder.add(begin, thread), end, kThreadsOfBlock, zeros,
        [&](Value i, ValueRange carried) {
          Value offset = channels.offsetOf(builder, channel, i);
          SmallVector<Value> elements;
          for (auto [number, operand] : llvm::enumerate(arguments.operands))
            elements.push_back(
                number == 1 ? center
                            : loadLanes(builder, builder.at(operand, offset),
                                        channels.element, channels.lanes));
          SmallVector<Value> next;
          for (auto [sum, term] :
               llvm::zip_equal(carried, termsOf(op, x, elements)))
            next.push_back(x.add(sum, term));
          return next;
        });
  }

  static void emitSums(Op op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
    const Channels channels = channelsOf(op);
    Arithmetic x(builder);
    if (channels.channels == 0) return;
    for (auto [result, to] : llvm::enumerate(arguments.results))
      addPartialSums(
          builder, arguments.threads,
          sumsOf(channels, builder, arguments.scratch, result), channels.parts,
          channels.channels, [&, to = to](Value channel, Value sum) {
            storeOne(builder, resultOf(op, x, sum), builder.at(to, channel));
          });
  }
};

}  // namespace

void attachBatchNormSumsKernels(MLIRContext& context) {
  nn::BatchVarianceOp::attachInterface<ChannelSumsKernel<nn::BatchVarianceOp>>(
      context);
  nn::BatchNormSumsOp::attachInterface<ChannelSumsKernel<nn::BatchNormSumsOp>>(
      context);
}

}  // namespace sbp::cuda
