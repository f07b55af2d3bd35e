// Kernels of convolution and of its two gradients, as implicit matrix products
// (TiledProduct.h). The offset of an element is computed from its row, column
// and K index, so that the matrix of the inputs under all windows is never
// stored. "input" and "output" are linear indices of points of space, and
// "position" is the linear index of an element of the window:
//
//                       rows       columns               sums over (K)
//   output              filters    (sample, output)      (channel, position)
//   gradient of input   channels   (sample, input)       (filter, position)
//   gradient of filter  filters    (channel, position)   (sample, output)
//
// For the gradient of the input there is a batch per phase of the inputs
// (WindowPhases.h).

#include <memory>
#include <numeric>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/TiledProduct.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/cuda/lower/WindowPhases.h"
#include "codegen/cuda/lower/WindowPoints.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// The shapes of a convolution, whichever of its three tensors the op computes.
struct ConvolutionShape {
  explicit ConvolutionShape(nn::ConvolutionOp op)
      : ConvolutionShape({op, op.getInput(), op.getResult()}, op.getFilter()) {}
  explicit ConvolutionShape(nn::ConvolutionInputGradOp op)
      : ConvolutionShape({op, op.getResult(), op.getGradient()},
                         op.getFilter()) {}
  explicit ConvolutionShape(nn::ConvolutionFilterGradOp op)
      : ConvolutionShape({op, op.getInput(), op.getGradient()},
                         op.getResult()) {}

  ConvolutionShape(WindowedShape windows, Value filter)
      : windows(std::move(windows)),
        filters(cast<RankedTensorType>(filter.getType()).getDimSize(0)) {}

  int64_t channels() const { return windows.channels; }
  int64_t inputs() const { return windows.inputPoints(); }
  int64_t outputs() const { return windows.outputPoints(); }
  int64_t positions() const { return windows.windowPoints(); }

  WindowedShape windows;
  int64_t filters;
};

/// Offsets and layouts that the three products have in common.
class ConvolutionTensors : public ProductTensors {
 public:
  ConvolutionTensors(const ConvolutionShape& shape, KernelBuilder& builder,
                     const KernelArguments& arguments)
      : shape_(shape),
        builder_(builder),
        points_(builder, shape.windows,
                ArrayRef(arguments.operands).drop_front(2)),
        operands_(arguments.operands),
        result_(arguments.results[0]) {}

 protected:
  /// The two indices of a linear index outer * extent + inner.
  struct Pair {
    Value outer, inner;
  };
  Pair split(Value number, int64_t extent) {
    return {builder_.div(number, extent), builder_.rem(number, extent)};
  }

  // Offsets of elements in the input, the filter and the output. A point of
  // space, or an element of a window, is a linear index.
  Value inInput(Value sample, Value channel, Value point) {
    return number(sample, shape_.channels(), channel, shape_.inputs(), point);
  }
  Value inFilter(Value filter, Value channel, Value position) {
    return number(filter, shape_.channels(), channel, shape_.positions(),
                  position);
  }
  Value inOutput(Value sample, Value filter, Value point) {
    return number(sample, shape_.filters, filter, shape_.outputs(), point);
  }

  Element operand(unsigned index, Value number, Value isValid) {
    return {builder_.at(operands_[index], number), isValid};
  }

  /// Number of adjacent elements that one access can take in a tensor whose
  /// contiguous rows have `extent` elements.
  int64_t lanesOfOperand(unsigned index, int64_t extent) const {
    return lanes(operands_[index], extent);
  }
  int64_t lanesOfResult(int64_t extent) const { return lanes(result_, extent); }

  Value always() { return arith::ConstantIntOp::create(builder_, 1, 1); }

  const ConvolutionShape& shape_;
  KernelBuilder& builder_;
  WindowPoints points_;

 private:
  static int64_t lanes(ElementRef tensor, int64_t extent) {
    return std::gcd(lanesOfAccess(tensor.elementType()), extent);
  }

  Value number(Value first, int64_t extent, Value second, int64_t points,
               Value point) {
    Value plane = builder_.add(builder_.mul(first, extent), second);
    return builder_.add(builder_.mul(plane, points), point);
  }

  ArrayRef<ElementRef> operands_;
  ElementRef result_;
};

/// Access to the tensors of the product that computes the output.
class ForwardTensors : public ConvolutionTensors {
 public:
  using ConvolutionTensors::ConvolutionTensors;

  static ProductExtents extents(const ConvolutionShape& shape) {
    return {1, shape.filters, shape.windows.samples * shape.outputs(),
            shape.channels() * shape.positions()};
  }

  Layout leftLayout() const override {
    return {true, lanesOfOperand(1, shape_.channels() * shape_.positions())};
  }
  Layout rightLayout() const override { return {}; }
  int64_t resultLanes() const override {
    return lanesOfResult(shape_.outputs());
  }
  Element left(Value, Value filter, Value summed) override {
    auto [channel, position] = split(summed, shape_.positions());
    return operand(1, inFilter(filter, channel, position), always());
  }
  Element right(Value, Value column, Value summed) override {
    auto [sample, output] = split(column, shape_.outputs());
    auto [channel, position] = split(summed, shape_.positions());
    Point input = points_.inputOf(output, position);
    return operand(0, inInput(sample, channel, input.linearIndex()),
                   input.isValid());
  }
  Result result(Value, Value filter, Value column) override {
    auto [sample, output] = split(column, shape_.outputs());
    return {inOutput(sample, filter, output), always()};
  }
};

/// Access to the tensors of the product that computes the input's gradient.
class InputGradTensors : public ConvolutionTensors {
 public:
  InputGradTensors(const ConvolutionShape& shape, KernelBuilder& builder,
                   const KernelArguments& arguments)
      : ConvolutionTensors(shape, builder, arguments), phases_(shape.windows) {}

  static ProductExtents extents(const ConvolutionShape& shape) {
    const WindowPhases phases(shape.windows);
    return {phases.numPhases(), shape.channels(),
            shape.windows.samples * phases.maxInputs(),
            shape.filters * phases.maxPositions()};
  }

  Layout leftLayout() const override { return {phases_.maxPositions() > 1, 1}; }
  Layout rightLayout() const override { return {}; }
  int64_t resultLanes() const override {
    if (phases_.numPhases() > 1) return 1;
    return lanesOfResult(shape_.inputs());
  }
  Element left(Value phase, Value channel, Value summed) override {
    auto [filter, index] = split(summed, phases_.maxPositions());
    Point position = phases_.positionOf(builder_, phase, index);
    return operand(0, inFilter(filter, channel, position.linearIndex()),
                   position.isValid());
  }
  Element right(Value phase, Value column, Value summed) override {
    auto [sample, input] = split(column, phases_.maxInputs());
    auto [filter, index] = split(summed, phases_.maxPositions());
    Point position = phases_.positionOf(builder_, phase, index);
    Point output =
        points_.outputOf(phases_.inputOf(builder_, phase, input).linearIndex(),
                         position.linearIndex());
    // Both operands must be zero here: zero times an infinite gradient would be
    // a NaN.
    output.require(position.isValid());
    return operand(1, inOutput(sample, filter, output.linearIndex()),
                   output.isValid());
  }
  Result result(Value phase, Value channel, Value column) override {
    auto [sample, index] = split(column, phases_.maxInputs());
    Point input = phases_.inputOf(builder_, phase, index);
    return {inInput(sample, channel, input.linearIndex()), input.isValid()};
  }

 private:
  WindowPhases phases_;
};

/// Access to the tensors of the product that computes the filter's gradient.
class FilterGradTensors : public ConvolutionTensors {
 public:
  using ConvolutionTensors::ConvolutionTensors;

  static ProductExtents extents(const ConvolutionShape& shape) {
    return {1, shape.filters, shape.channels() * shape.positions(),
            shape.windows.samples * shape.outputs()};
  }

  Layout leftLayout() const override {
    return {true, lanesOfOperand(1, shape_.outputs())};
  }
  Layout rightLayout() const override { return {true, 1}; }
  int64_t resultLanes() const override {
    return lanesOfResult(shape_.channels() * shape_.positions());
  }
  Element left(Value, Value filter, Value summed) override {
    auto [sample, output] = split(summed, shape_.outputs());
    return operand(1, inOutput(sample, filter, output), always());
  }
  Element right(Value, Value column, Value summed) override {
    auto [channel, position] = split(column, shape_.positions());
    auto [sample, output] = split(summed, shape_.outputs());
    Point input = points_.inputOf(output, position);
    return operand(0, inInput(sample, channel, input.linearIndex()),
                   input.isValid());
  }
  Result result(Value, Value filter, Value column) override {
    auto [channel, position] = split(column, shape_.positions());
    return {inFilter(filter, channel, position), always()};
  }
};

template <typename Op, typename Tensors>
class ConvolutionKernel : public CudaKernelOpInterface::ExternalModel<
                              ConvolutionKernel<Op, Tensors>, Op> {
 public:
  int64_t getGpuScratchBytes(Operation* op) const {
    return productOf(op, ConvolutionShape(cast<Op>(op))).scratchBytes();
  }

  void buildKernel(Operation* op, Launches& launches) const {
    const ConvolutionShape shape(cast<Op>(op));
    productOf(op, shape).build(launches, [&](KernelBuilder& builder,
                                             const KernelArguments& arguments) {
      return std::make_unique<Tensors>(shape, builder, arguments);
    });
  }

 private:
  static TiledProduct productOf(Operation* op, const ConvolutionShape& shape) {
    return TiledProduct(Tensors::extents(shape),
                        cast<RankedTensorType>(op->getResult(0).getType()));
  }
};

template <typename Op, typename Tensors>
void attach(MLIRContext& context) {
  Op::template attachInterface<ConvolutionKernel<Op, Tensors>>(context);
}

}  // namespace

void attachConvolutionKernels(MLIRContext& context) {
  attach<nn::ConvolutionOp, ForwardTensors>(context);
  attach<nn::ConvolutionInputGradOp, InputGradTensors>(context);
  attach<nn::ConvolutionFilterGradOp, FilterGradTensors>(context);
}

}  // namespace sbp::cuda
