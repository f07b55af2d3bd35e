// Kernels of batch normalisation: rows that each belong to one channel.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/Families.h"
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

/// The planes of a tensor [N, C, ...], each a row.
class ChannelRows {
 public:
  ChannelRows(KernelBuilder& builder, ParallelLoops& loops, Value tensor)
      : builder_(builder), loops_(loops), type_(typeOf(tensor)) {}

  /// Visits each row; gets its channel besides.
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

  /// Makes the vector `sums`, an element per channel, zero.
  void clear(Place sums) {
    fill(builder_, sums, numChannels(),
         builder_.number(type_.getElementType(), 0));
  }

  /// Adds the sum over the row of `term` to the channel's element of `sums`.
  void addSum(Rows& rows, Value channel, Place sums,
              llvm::function_ref<Value(Rows::At)> term) {
    Value sum = rows.reduce(CombiningKind::ADD, term);
    Place place = builder_.at(sums, channel);
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

/// The elements of vectors that belong to one channel, and what is made of
/// them, in every lane.
class ChannelNumbers {
 public:
  ChannelNumbers(KernelBuilder& builder, Rows& rows, Value channel)
      : builder_(builder), rows_(rows), channel_(channel) {}

  Value scalar(Place vector) {
    return builder_.load(builder_.at(vector, channel_));
  }
  Value inAllLanes(Value number) {
    return builder_.broadcast(number, rows_.vectorType().getNumElements());
  }

 private:
  KernelBuilder& builder_;
  Rows& rows_;
  Value channel_;
};

/// 1 / sqrt(variance + epsilon)
Value inverseDeviation(Arithmetic& x, Value variance,
                       const llvm::APFloat& epsilon) {
  Value shifted = x.add(variance, x.like(variance, epsilon.convertToDouble()));
  return x.div(x.like(variance, 1), x.sqrt(shifted));
}

void emitBatchVariance(nn::BatchVarianceOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
  Arithmetic x(builder);
  Place result = arguments.results[0];
  ChannelRows channels(builder, arguments.loops, op.getInput());
  channels.clear(result);
  channels.forEach([&](Rows& rows, Value channel) {
    ChannelNumbers numbers(builder, rows, channel);
    Value center = numbers.inAllLanes(numbers.scalar(arguments.operands[1]));
    channels.addSum(rows, channel, result, [&](Rows::At at) {
      Value distance = x.sub(rows.load(arguments.operands[0], at), center);
      return x.mul(distance, distance);
    });
  });
  builder.loop(0, channels.numChannels(), 1, [&](Value channel) {
    Place place = builder.at(result, channel);
    Value sum = builder.load(place);
    builder.store(x.div(sum, x.like(sum, op.getDivisor())), place);
  });
}

void emitBatchNorm(nn::BatchNormOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  Arithmetic x(builder);
  ArrayRef<Place> operands = arguments.operands;
  ChannelRows channels(builder, arguments.loops, op.getInput());
  channels.forEach([&](Rows& rows, Value channel) {
    ChannelNumbers numbers(builder, rows, channel);
    Value deviation =
        inverseDeviation(x, numbers.scalar(operands[2]), op.getEpsilon());
    Value mean = numbers.inAllLanes(numbers.scalar(operands[1]));
    Value scale =
        numbers.inAllLanes(x.mul(numbers.scalar(operands[3]), deviation));
    Value beta = numbers.inAllLanes(numbers.scalar(operands[4]));
    rows.forEach([&](Rows::At at) {
      Value centered = x.sub(rows.load(operands[0], at), mean);
      rows.store(x.multiplyAdd(centered, scale, beta), arguments.results[0],
                 at);
    });
  });
}

void emitBatchNormSums(nn::BatchNormSumsOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
  Arithmetic x(builder);
  Place gradient = arguments.operands[2];
  ChannelRows channels(builder, arguments.loops, op.getInput());
  for (Place result : arguments.results) channels.clear(result);
  channels.forEach([&](Rows& rows, Value channel) {
    ChannelNumbers numbers(builder, rows, channel);
    Value mean = numbers.inAllLanes(numbers.scalar(arguments.operands[1]));
    channels.addSum(rows, channel, arguments.results[0], [&](Rows::At at) {
      return x.mul(rows.load(gradient, at),
                   x.sub(rows.load(arguments.operands[0], at), mean));
    });
    channels.addSum(rows, channel, arguments.results[1],
                    [&](Rows::At at) { return rows.load(gradient, at); });
  });
}

// With r = 1 / sqrt(variance + epsilon), the gradient of an element is
//
//   a * g + b * (x - mean) + c     a = gamma * r, c = -a * sums / count
//                                  b = -a * r^2 * products / count
void emitBatchNormGrad(nn::BatchNormGradOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
  Arithmetic x(builder);
  ArrayRef<Place> operands = arguments.operands;
  ChannelRows channels(builder, arguments.loops, op.getInput());
  channels.forEach([&](Rows& rows, Value channel) {
    ChannelNumbers numbers(builder, rows, channel);
    Value r = inverseDeviation(x, numbers.scalar(operands[2]), op.getEpsilon());
    Value a = x.mul(numbers.scalar(operands[3]), r);
    Value perElement = x.div(x.neg(a), x.like(a, op.getDivisor()));
    Value b =
        x.mul(x.mul(perElement, x.mul(r, r)), numbers.scalar(operands[5]));
    Value c = x.mul(perElement, numbers.scalar(operands[6]));
    Value mean = numbers.inAllLanes(numbers.scalar(operands[1]));
    a = numbers.inAllLanes(a);
    b = numbers.inAllLanes(b);
    c = numbers.inAllLanes(c);
    rows.forEach([&](Rows::At at) {
      Value centered = x.sub(rows.load(operands[0], at), mean);
      Value own = x.multiplyAdd(rows.load(operands[4], at), a, c);
      rows.store(x.multiplyAdd(centered, b, own), arguments.results[0], at);
    });
  });
}

/// The kernel of an op whose result is made element by element of operands that
/// lie like it, and of vectors.
template <typename Op,
          void (*kEmit)(Op, KernelBuilder&, const KernelArguments&)>
class ChannelwiseKernel
    : public CpuKernelOpInterface::ExternalModel<ChannelwiseKernel<Op, kEmit>,
                                                 Op> {
 public:
  bool canWriteInPlace(Operation* op, unsigned, unsigned operand) const {
    return op->getOperand(operand).getType() == op->getResult(0).getType();
  }
  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    kEmit(cast<Op>(op), builder, arguments);
  }
};

}  // namespace

void attachBatchNormKernels(MLIRContext& context) {
  nn::BatchVarianceOp::attachInterface<
      SimpleKernel<nn::BatchVarianceOp, emitBatchVariance>>(context);
  nn::BatchNormOp::attachInterface<
      ChannelwiseKernel<nn::BatchNormOp, emitBatchNorm>>(context);
  nn::BatchNormSumsOp::attachInterface<
      SimpleKernel<nn::BatchNormSumsOp, emitBatchNormSums>>(context);
  nn::BatchNormGradOp::attachInterface<
      ChannelwiseKernel<nn::BatchNormGradOp, emitBatchNormGrad>>(context);
}

}  // namespace sbp::cpu
