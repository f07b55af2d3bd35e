// Kernels of the variance of channels, and of the sums in batch_norm's
// gradient. Each row belongs to one channel.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"

namespace sbp::cpu {

using namespace mlir;
using vector::CombiningKind;

namespace {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// The planes of a tensor [N, C, ...] as rows, one per sample and channel.
class ChannelRows {
 public:
  ChannelRows(KernelBuilder& builder, ParallelLoops& loops, Value tensor)
      : builder_(builder), loops_(loops), type_(typeOf(tensor)) {}

  /// Emits a loop over the rows; `visit` gets a row and its channel.
  void forEach(llvm::function_ref<void(Rows&, Value)> visit) {
    int64_t numRows = type_.getDimSize(0) * numChannels();
    int64_t length = numRows ? type_.getNumElements() / numRows : 0;
    loops_.forEachRows(builder_, {numRows, length, 1}, type_.getElementType(),
                       [&](Rows& rows) {
                         visit(rows,
                               builder_.rem(rows.firstRow(), numChannels()));
                       });
  }

  int64_t numChannels() const { return type_.getDimSize(1); }

  /// Returns the channel's element of `vector`, in every lane.
  Value inAllLanes(Rows& rows, Value channel, ElementRef vector) {
    return builder_.broadcast(builder_.load(builder_.at(vector, channel)),
                              rows.vectorType().getNumElements());
  }

  /// Sets `sums`, which has an element per channel, to zero.
  void clear(ElementRef sums) {
    fill(builder_, sums, numChannels(),
         builder_.number(type_.getElementType(), 0));
  }

  /// Adds the sum over the row of `term` to the channel's element of `sums`.
  void addSum(Rows& rows, Value channel, ElementRef sums,
              llvm::function_ref<Value(Rows::At)> term) {
    Value sum = rows.reduce(CombiningKind::ADD, term);
    ElementRef place = builder_.at(sums, channel);
    Value total =
        arith::AddFOp::create(builder_, builder_.load(place),
                              vector::ExtractOp::create(builder_, sum, 0));
    builder_.store(total, place);
  }

 private:
  KernelBuilder& builder_;
  ParallelLoops& loops_;
  RankedTensorType type_;
};

void emitBatchVariance(nn::BatchVarianceOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef result = arguments.results[0];
  ChannelRows channels(builder, arguments.loops, op.getInput());
  channels.clear(result);
  channels.forEach([&](Rows& rows, Value channel) {
    Value center = channels.inAllLanes(rows, channel, arguments.operands[1]);
    channels.addSum(rows, channel, result, [&](Rows::At at) {
      Value distance = x.sub(rows.load(arguments.operands[0], at), center);
      return x.mul(distance, distance);
    });
  });
  builder.loop(0, channels.numChannels(), 1, [&](Value channel) {
    ElementRef place = builder.at(result, channel);
    Value sum = builder.load(place);
    builder.store(x.div(sum, x.like(sum, op.getDivisor())), place);
  });
}

void emitBatchNormSums(nn::BatchNormSumsOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef gradient = arguments.operands[2];
  ChannelRows channels(builder, arguments.loops, op.getInput());
  for (ElementRef result : arguments.results) channels.clear(result);
  channels.forEach([&](Rows& rows, Value channel) {
    Value mean = channels.inAllLanes(rows, channel, arguments.operands[1]);
    channels.addSum(rows, channel, arguments.results[0], [&](Rows::At at) {
      return x.mul(rows.load(gradient, at),
                   x.sub(rows.load(arguments.operands[0], at), mean));
    });
    channels.addSum(rows, channel, arguments.results[1],
                    [&](Rows::At at) { return rows.load(gradient, at); });
  });
}

}  // namespace

void attachBatchNormSumsKernels(MLIRContext& context) {
  nn::BatchVarianceOp::attachInterface<
      SimpleKernel<nn::BatchVarianceOp, emitBatchVariance>>(context);
  nn::BatchNormSumsOp::attachInterface<
      SimpleKernel<nn::BatchNormSumsOp, emitBatchNormSums>>(context);
}

}  // namespace sbp::cpu
