// The kernel of nn.einsum. All loops of one role
// (codegen/kernels/Contraction.h) form one axis, so that any contraction is a
// batch of matrix products (TiledProduct.h).

#include <memory>
#include <numeric>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/KernelFunction.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/TiledProduct.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/kernels/Contraction.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// The member of ContractionLoop that is the stride in one of the tensors.
using Stride = int64_t ContractionLoop::*;

/// All loops of one role, seen as one loop. An index on the axis is the linear
/// index of an iteration of the loops, outermost first.
class Axis {
 public:
  /// The loop with the smallest stride `innermost` becomes the innermost one.
  Axis(SmallVector<ContractionLoop> loops, Stride innermost)
      : loops_(std::move(loops)) {
    llvm::sort(loops_, [&](const auto& left, const auto& right) {
      return left.*innermost > right.*innermost;
    });
  }

  int64_t extent() const {
    int64_t extent = 1;
    for (const ContractionLoop& loop : loops_) extent *= loop.extent;
    return extent;
  }

  /// Whether adjacent indices on the axis are adjacent elements in memory.
  bool isDense(Stride stride) const {
    return !loops_.empty() && loops_.back().*stride == 1;
  }

  /// Returns the greatest common divisor of `number`, the extents of loops with
  /// stride 1, and the strides of the other loops.
  int64_t commonDivisor(int64_t number, Stride stride) const {
    for (const ContractionLoop& loop : loops_)
      number = std::gcd(number, loop.*stride == 1 ? loop.extent : loop.*stride);
    return number;
  }

  /// Returns the offset of index `number` of the axis in the tensor of
  /// `stride`.
  Value offsetOf(KernelBuilder& builder, Value number, Stride stride) const {
    SmallVector<int64_t> extents;
    for (const ContractionLoop& loop : loops_) extents.push_back(loop.extent);
    Value offset = builder.index(0);
    for (auto [loop, index] :
         llvm::zip_equal(loops_, indicesOf(builder, number, extents)))
      if (loop.*stride)
        offset = builder.add(offset, builder.mul(index, loop.*stride));
    return offset;
  }

 private:
  SmallVector<ContractionLoop> loops_;
};

/// Returns the loops that index the result, and A and B as `hasA` and `hasB`
/// say.
SmallVector<ContractionLoop> loopsOf(const Contraction& contraction, bool hasA,
                                     bool hasB) {
  SmallVector<ContractionLoop> loops;
  for (const ContractionLoop& loop : contraction.parallelLoops())
    if (loop.extent != 1 && (loop.a != 0) == hasA && (loop.b != 0) == hasB)
      loops.push_back(loop);
  return loops;
}

SmallVector<ContractionLoop> summedLoopsOf(const Contraction& contraction) {
  SmallVector<ContractionLoop> loops = contraction.summedLoops();
  llvm::erase_if(loops, [](const auto& loop) { return loop.extent == 1; });
  return loops;
}

/// The loops of a contraction as the axes of a matrix product.
struct EinsumAxes {
  explicit EinsumAxes(const Contraction& contraction)
      : batches(loopsOf(contraction, true, true), &ContractionLoop::c),
        rows(loopsOf(contraction, true, false), &ContractionLoop::c),
        columns(loopsOf(contraction, false, true), &ContractionLoop::c),
        summed(summedLoopsOf(contraction), &ContractionLoop::a) {}

  ProductExtents extents() const {
    return {batches.extent(), rows.extent(), columns.extent(), summed.extent()};
  }

  Axis batches, rows, columns, summed;
};

/// Access to the tensors of the product.
class EinsumTensors : public ProductTensors {
 public:
  EinsumTensors(KernelBuilder& builder, const EinsumAxes& axes, ElementRef a,
                ElementRef b, ElementRef c)
      : builder_(builder), axes_(axes), a_(a), b_(b), c_(c) {}

  Layout leftLayout() const override {
    return operandLayout(a_, axes_.rows, &ContractionLoop::a);
  }
  Layout rightLayout() const override {
    return operandLayout(b_, axes_.columns, &ContractionLoop::b);
  }
  int64_t resultLanes() const override {
    return lanes(c_, &ContractionLoop::c, axes_.columns, axes_.rows);
  }

  Element left(Value batch, Value row, Value summed) override {
    return element(a_, batch, axes_.rows, row, summed, &ContractionLoop::a);
  }
  Element right(Value batch, Value column, Value summed) override {
    return element(b_, batch, axes_.columns, column, summed,
                   &ContractionLoop::b);
  }
  Result result(Value batch, Value row, Value column) override {
    const Stride c = &ContractionLoop::c;
    Value number =
        builder_.add(builder_.add(axes_.batches.offsetOf(builder_, batch, c),
                                  axes_.rows.offsetOf(builder_, row, c)),
                     axes_.columns.offsetOf(builder_, column, c));
    return {number, arith::ConstantIntOp::create(builder_, 1, 1)};
  }

 private:
  Layout operandLayout(ElementRef tensor, const Axis& across,
                       Stride stride) const {
    if (axes_.summed.isDense(stride))
      return {true, lanes(tensor, stride, axes_.summed, across)};
    return {false, lanes(tensor, stride, across, axes_.summed)};
  }

  /// Number of adjacent elements along `axis` that one access can take, in a
  /// tensor that is also indexed by the batches and by the axis `other`.
  int64_t lanes(ElementRef tensor, Stride stride, const Axis& axis,
                const Axis& other) const {
    if (!axis.isDense(stride)) return 1;
    int64_t lanes = lanesOfAccess(tensor.elementType());
    for (const Axis* each : {&axis, &other, &axes_.batches})
      lanes = each->commonDivisor(lanes, stride);
    return lanes;
  }

  Element element(ElementRef first, Value batch, const Axis& across,
                  Value onAcross, Value summed, Stride stride) {
    ElementRef ref = first;
    for (auto [axis, number] : {std::pair(&axes_.batches, batch),
                                {&across, onAcross},
                                {&axes_.summed, summed}})
      ref = builder_.at(ref, axis->offsetOf(builder_, number, stride));
    return {ref, arith::ConstantIntOp::create(builder_, 1, 1)};
  }

  KernelBuilder& builder_;
  const EinsumAxes& axes_;
  ElementRef a_, b_, c_;
};

class EinsumKernel
    : public CudaKernelOpInterface::ExternalModel<EinsumKernel, nn::EinsumOp> {
 public:
  int64_t getGpuScratchBytes(Operation* op) const {
    return productOf(op, EinsumAxes(contraction(op))).scratchBytes();
  }

  void buildKernel(Operation* op, Launches& launches) const {
    const Contraction contraction = EinsumKernel::contraction(op);
    const EinsumAxes axes(contraction);
    const TiledProduct product = productOf(op, axes);
    product.build(launches, [&](KernelBuilder& builder,
                                const KernelArguments& arguments) {
      // Without the limit some kernels take a few registers too many for two
      // blocks per multiprocessor. Convolutions have no such limit: they need
      // more registers for index arithmetic, and would spill.
      if (product.hasLargestTiles())
        limitRegisters(builder, 2 * kThreadsOfBlock);
      return std::make_unique<EinsumTensors>(
          builder, axes, arguments.operands[contraction.isSwapped ? 1 : 0],
          arguments.operands[contraction.isSwapped ? 0 : 1],
          arguments.results[0]);
    });
  }

 private:
  static Contraction contraction(Operation* op) {
    auto einsum = cast<nn::EinsumOp>(op);
    return contractionOf(
        einsum.getEquation(),
        cast<RankedTensorType>(einsum.getLhs().getType()).getShape(),
        cast<RankedTensorType>(einsum.getRhs().getType()).getShape());
  }

  static TiledProduct productOf(Operation* op, const EinsumAxes& axes) {
    return TiledProduct(axes.extents(),
                        cast<RankedTensorType>(op->getResult(0).getType()));
  }
};

}  // namespace

void attachEinsumKernels(MLIRContext& context) {
  nn::EinsumOp::attachInterface<EinsumKernel>(context);
}

}  // namespace sbp::cuda
