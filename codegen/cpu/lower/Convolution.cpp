// Kernels of convolution and of its two gradients: products of blocks of the
// matrices in Columns.h.

#include <algorithm>

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/contraction/Blocking.h"
#include "codegen/cpu/contraction/BuildContraction.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/cpu/lower/Columns.h"
#include "codegen/kernels/Contraction.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// Matrices of a block: filter [F, K], columns [K, P], outputs [F, P].
enum Matrix { kFilter, kColumns, kOutputs };

/// A convolution or a gradient: the matrix `result` is the product of the other
/// two.
struct Convolution {
  Convolution(nn::ConvolutionOp op, const Target& target)
      : Convolution(kOutputs, WindowedShape(op, op.getInput(), op.getResult()),
                    op.getFilter(), target) {}
  Convolution(nn::ConvolutionInputGradOp op, const Target& target)
      : Convolution(kColumns,
                    WindowedShape(op, op.getResult(), op.getGradient()),
                    op.getFilter(), target) {}
  Convolution(nn::ConvolutionFilterGradOp op, const Target& target)
      : Convolution(kFilter, WindowedShape(op, op.getInput(), op.getGradient()),
                    op.getResult(), target) {}

  Convolution(Matrix result, WindowedShape windowed, Value filter,
              const Target& target)
      : result(result),
        shape(std::move(windowed)),
        filters(cast<RankedTensorType>(filter.getType()).getDimSize(0)),
        element(getElementTypeOrSelf(filter)),
        elementBytes(element.getIntOrFloatBitWidth() / 8),
        blocks(shape, elementBytes, target) {}

  bool isEmpty() const {
    return shape.numLines() * shape.lineLength() * shape.channels * filters ==
           0;
  }

  /// Returns the number of columns of a block.
  int64_t width() const { return blocks.lines * shape.lineLength(); }

  /// Returns the product of a block with `channels` channels.
  Contraction product(int64_t channels) const {
    struct Strides {
      int64_t f = 0, k = 0, p = 0;
    };
    Strides strides[3];
    strides[kFilter].f = shape.channels * shape.windowPoints();
    strides[kFilter].k = 1;
    strides[kColumns].k = width();
    strides[kColumns].p = 1;
    strides[kOutputs].f = width();
    strides[kOutputs].p = 1;
    auto [left, right] = factors();
    const Strides &a = strides[left], &b = strides[right], &c = strides[result];
    return arrange({{filters, a.f, b.f, c.f},
                    {channels * shape.windowPoints(), a.k, b.k, c.k},
                    {width(), a.p, b.p, c.p}});
  }

  /// Returns the two other matrices, in the order of the op's operands.
  std::pair<Matrix, Matrix> factors() const {
    switch (result) {
      case kOutputs:
        return {kColumns, kFilter};
      case kColumns:
        return {kFilter, kOutputs};
      case kFilter:
        return {kColumns, kOutputs};
    }
    llvm_unreachable("a matrix is one of three");
  }

  /// Returns the channels of the last block if it has fewer than the others,
  /// else 0.
  int64_t restOfChannels() const { return shape.channels % blocks.channels; }

  // Parts of the scratch buffer, in elements.
  int64_t columnElements() const {
    return blocks.channels * shape.windowPoints() * width();
  }
  int64_t outputElements() const { return filters * width(); }
  int64_t productElements(const Target& target) const {
    auto needed = [&](int64_t channels) {
      return chooseBlocking(product(channels), target, elementBytes)
          .scratchElements();
    };
    int64_t rest = restOfChannels();
    return std::max(needed(blocks.channels), rest ? needed(rest) : 0);
  }
  int64_t scratchElements(const Target& target) const {
    if (isEmpty()) return 0;
    return columnElements() + outputElements() + productElements(target);
  }

  Matrix result;
  WindowedShape shape;
  int64_t filters;
  Type element;
  int64_t elementBytes;
  ColumnBlocking blocks;
};

/// Emits the code of a convolution or a gradient.
class ConvolutionCode {
 public:
  /// `filter`, `input` and `output` are the tensors that the three matrices are
  /// blocks of; `first` is as in WindowRuns.
  ConvolutionCode(KernelBuilder& builder, const Convolution& convolution,
                  const Target& target, ElementRef filter, ElementRef input,
                  ElementRef output, ElementRef scratch,
                  ArrayRef<ElementRef> first)
      : builder_(builder),
        convolution_(convolution),
        target_(target),
        filter_(filter),
        input_(input),
        output_(output),
        columns_(builder, WindowRuns(builder, target, convolution.shape, first),
                 convolution.blocks.lines) {
    int64_t elements = convolution.scratchElements(target);
    columnBlock_ = builder.view(scratch, 0, convolution.element, elements);
    outputBlock_ = builder.at(columnBlock_, convolution.columnElements());
    productScratch_ = builder.at(outputBlock_, convolution.outputElements());
  }

  void build() {
    const ColumnBlocking& blocks = convolution_.blocks;
    builder_.loop(
        0, convolution_.shape.numLines(), blocks.lines, [&](Value line) {
          if (convolution_.result != kOutputs)
            columns_.takeLines(output_, convolution_.filters, line,
                               outputBlock_);
          int64_t channels = convolution_.shape.channels;
          int64_t rest = convolution_.restOfChannels();
          builder_.loop(0, channels - rest, blocks.channels,
                        [&](Value c) { buildBlock(line, c, blocks.channels); });
          if (rest) buildBlock(line, builder_.index(channels - rest), rest);
          if (convolution_.result == kOutputs)
            columns_.putLines(outputBlock_, convolution_.filters, line,
                              output_);
        });
  }

 private:
  void buildBlock(Value line, Value channel, int64_t numChannels) {
    ElementRef filter = builder_.at(
        filter_, builder_.mul(channel, convolution_.shape.windowPoints()));
    switch (convolution_.result) {
      case kOutputs:
        columns_.unfold(input_, line, channel, numChannels, columnBlock_);
        return multiply(numChannels, columnBlock_, filter, outputBlock_,
                        isZero(channel));
      case kFilter:
        columns_.unfold(input_, line, channel, numChannels, columnBlock_);
        return multiply(numChannels, columnBlock_, outputBlock_, filter,
                        isZero(line));
      case kColumns:
        multiply(numChannels, filter, outputBlock_, columnBlock_,
                 /*isFirst=*/isZero(builder_.index(0)));
        return columns_.fold(columnBlock_, line, channel, numChannels, input_);
    }
  }

  void multiply(int64_t numChannels, ElementRef left, ElementRef right,
                ElementRef result, Value isFirst) {
    Contraction product = convolution_.product(numChannels);
    Blocking blocking =
        chooseBlocking(product, target_, convolution_.elementBytes);
    buildContraction(builder_, product, blocking, left, right, result,
                     productScratch_, isFirst);
  }

  Value isZero(Value index) {
    return builder_.isEqual(index, builder_.index(0));
  }

  KernelBuilder& builder_;
  const Convolution& convolution_;
  const Target& target_;
  ElementRef filter_, input_, output_;
  ElementRef columnBlock_, outputBlock_, productScratch_;
  Columns columns_;
};

template <typename Op>
class ConvolutionKernel
    : public CpuKernelOpInterface::ExternalModel<ConvolutionKernel<Op>, Op> {
 public:
  int64_t getCpuScratchBytes(Operation* op, const Target& target) const {
    Convolution convolution(cast<Op>(op), target);
    return convolution.scratchElements(target) * convolution.elementBytes;
  }

  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    Convolution convolution(cast<Op>(op), arguments.target);
    ElementRef result = arguments.results[0];
    // The gradient of the input is added up in the result; results of empty
    // operands are zero.
    if (convolution.isEmpty() || convolution.result == kColumns)
      fill(builder, result,
           cast<RankedTensorType>(op->getResult(0).getType()).getNumElements(),
           builder.number(convolution.element, 0));
    if (convolution.isEmpty()) return;

    ElementRef tensors[3];
    auto [left, right] = convolution.factors();
    tensors[left] = arguments.operands[0];
    tensors[right] = arguments.operands[1];
    tensors[convolution.result] = result;
    ConvolutionCode(builder, convolution, arguments.target, tensors[kFilter],
                    tensors[kColumns], tensors[kOutputs], arguments.scratch,
                    ArrayRef(arguments.operands).drop_front(2))
        .build();
  }
};

}  // namespace

void attachConvolutionKernels(MLIRContext& context) {
  nn::ConvolutionOp::attachInterface<ConvolutionKernel<nn::ConvolutionOp>>(
      context);
  nn::ConvolutionInputGradOp::attachInterface<
      ConvolutionKernel<nn::ConvolutionInputGradOp>>(context);
  nn::ConvolutionFilterGradOp::attachInterface<
      ConvolutionKernel<nn::ConvolutionFilterGradOp>>(context);
}

}  // namespace sbp::cpu
