// Kernels of pooling and of its gradient.

#include <limits>

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/cpu/lower/WindowRuns.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

bool isExtreme(nn::ReduceKind kind) {
  return kind == nn::ReduceKind::Max || kind == nn::ReduceKind::Min;
}

/// Emits the code of a pooling or its gradient, line by line.
class Pooling {
 public:
  template <typename PoolLikeOp>
  Pooling(PoolLikeOp op, Value outputs, KernelBuilder& builder,
          const KernelArguments& arguments)
      : builder_(builder),
        x_(builder),
        kind_(op.getKind()),
        element_(getElementTypeOrSelf(outputs)),
        runs_(builder, arguments.target,
              WindowedShape(op, op.getInput(), outputs),
              ArrayRef(arguments.operands).take_back(op.getFirst().size())) {}

  /// A line of outputs, and the plane of inputs that it reads.
  struct Line {
    SmallVector<Value> outputs;  // in all dimensions of space but the last
    Value plane;                 // offset of its first element in the inputs
    Value first;                 // offset of the first output in the outputs
  };
  void forLines(llvm::function_ref<void(const Line&)> visit) {
    const WindowedShape& shape = runs_.shape();
    SmallVector<int64_t> extents = {shape.samples * shape.channels};
    llvm::append_range(extents, ArrayRef(shape.outputs).drop_back());
    builder_.loops(extents, [&](ValueRange at) {
      Value line = at[0];
      for (auto [index, extent] :
           llvm::zip_equal(at.drop_front(), ArrayRef(extents).drop_front()))
        line = builder_.add(builder_.mul(line, extent), index);
      visit({llvm::to_vector_of<Value>(at.drop_front()),
             builder_.mul(at[0], shape.inputPoints()),
             builder_.mul(line, shape.lineLength())});
    });
  }

  /// Writes the sums or extremes of the inputs of `plane` in the windows of
  /// `line` to `outputs`.
  void pool(const Line& line, ElementRef plane, ElementRef outputs) {
    double infinity = std::numeric_limits<double>::infinity();
    double nothing = kind_ == nn::ReduceKind::Max   ? -infinity
                     : kind_ == nn::ReduceKind::Min ? infinity
                                                    : 0;
    fill(builder_, outputs, runs_.shape().lineLength(),
         builder_.number(element_, nothing));
    forPairs(line, [&](const OutputInputPairs& pairs) {
      Value before = pairs.loadOutput(builder_, outputs);
      Value seen = pairs.loadInput(builder_, plane);
      Value after = kind_ == nn::ReduceKind::Max   ? x_.max(before, seen)
                    : kind_ == nn::ReduceKind::Min ? x_.min(before, seen)
                                                   : x_.add(before, seen);
      pairs.storeOutput(builder_, after, outputs);
    });
  }

  /// Copies a line of sums; for a mean, divides them by the number of elements
  /// of a window.
  void divide(ElementRef from, ElementRef to) {
    int64_t lanes = runs_.lanes(element_);
    forVectors(
        builder_, runs_.shape().lineLength(), lanes,
        [&](Value i, int64_t count) {
          Value value = builder_.loadLanes(builder_.at(from, i), lanes, count);
          if (kind_ == nn::ReduceKind::Mean)
            value = x_.div(value, x_.like(value, runs_.shape().windowPoints()));
          builder_.storeLanes(value, builder_.at(to, i), count);
        });
  }

  /// Adds the `gradients` of `line` to all inputs of `plane` in its windows.
  void addToAll(const Line& line, ElementRef gradients, ElementRef plane) {
    forPairs(line, [&](const OutputInputPairs& pairs) {
      add(pairs, pairs.loadOutput(builder_, gradients), plane);
    });
  }

  /// Adds the `gradients` of `line` to `plane` where `inputs` first equals the
  /// extreme of the window, and sets these gradients to zero, so that later
  /// equal inputs get nothing.
  void addToExtremes(const Line& line, ElementRef inputs, ElementRef extremes,
                     ElementRef gradients, ElementRef plane) {
    forPairs(line, [&](const OutputInputPairs& pairs) {
      Value gradient = pairs.loadOutput(builder_, gradients);
      Value zero = x_.like(gradient, 0);
      Value isExtreme =
          x_.compare(nn::Predicate::Equal, pairs.loadInput(builder_, inputs),
                     pairs.loadOutput(builder_, extremes));
      add(pairs, x_.select(isExtreme, gradient, zero), plane);
      pairs.storeOutput(builder_, x_.select(isExtreme, zero, gradient),
                        gradients);
    });
  }

  int64_t lineLength() const { return runs_.shape().lineLength(); }

 private:
  /// Emits a loop over all outputs of `line` and the inputs that they read.
  void forPairs(const Line& line,
                llvm::function_ref<void(const OutputInputPairs&)> visit) {
    runs_.forPositions([&](ValueRange position) {
      WindowRuns::InputRun run = runs_.runOf(line.outputs, position);
      builder_.branch(run.isInside,
                      [&] { runs_.forPairs(run, element_, visit); });
    });
  }

  void add(const OutputInputPairs& pairs, Value term, ElementRef plane) {
    pairs.storeInput(builder_, x_.add(pairs.loadInput(builder_, plane), term),
                     plane);
  }

  KernelBuilder& builder_;
  Arithmetic x_;
  nn::ReduceKind kind_;
  Type element_;
  WindowRuns runs_;
};

void emitPool(nn::PoolOp op, KernelBuilder& builder,
              const KernelArguments& arguments) {
  Pooling pooling(op, op.getResult(), builder, arguments);
  pooling.forLines([&](const Pooling::Line& line) {
    ElementRef outputs = builder.at(arguments.results[0], line.first);
    pooling.pool(line, builder.at(arguments.operands[0], line.plane), outputs);
    if (op.getKind() == nn::ReduceKind::Mean) pooling.divide(outputs, outputs);
  });
}

class PoolGradKernel
    : public CpuKernelOpInterface::ExternalModel<PoolGradKernel,
                                                 nn::PoolGradOp> {
 public:
  // Scratch for a line of gradients and a line of extremes.
  int64_t getCpuScratchBytes(Operation* op, const Target&) const {
    auto type = cast<RankedTensorType>(
        cast<nn::PoolGradOp>(op).getGradient().getType());
    return 2 * type.getShape().back() * type.getElementTypeBitWidth() / 8;
  }

  void buildKernel(Operation* op, KernelBuilder& builder,
                   const KernelArguments& arguments) const {
    auto pool = cast<nn::PoolGradOp>(op);
    RankedTensorType type = pool.getResult().getType();
    Type element = type.getElementType();
    fill(builder, arguments.results[0], type.getNumElements(),
         builder.number(element, 0));
    if (pool.getGradient().getType().getNumElements() == 0) return;

    Pooling pooling(pool, pool.getGradient(), builder, arguments);
    int64_t length = pooling.lineLength();
    ElementRef gradients =
        builder.view(arguments.scratch, 0, element, 2 * length);
    ElementRef extremes = builder.at(gradients, length);
    pooling.forLines([&](const Pooling::Line& line) {
      ElementRef inputs = builder.at(arguments.operands[0], line.plane);
      ElementRef result = builder.at(arguments.results[0], line.plane);
      pooling.divide(builder.at(arguments.operands[1], line.first), gradients);
      if (!isExtreme(pool.getKind()))
        return pooling.addToAll(line, gradients, result);
      pooling.pool(line, inputs, extremes);
      pooling.addToExtremes(line, inputs, extremes, gradients, result);
    });
  }
};

}  // namespace

void attachPoolKernels(MLIRContext& context) {
  nn::PoolOp::attachInterface<SimpleKernel<nn::PoolOp, emitPool>>(context);
  nn::PoolGradOp::attachInterface<PoolGradKernel>(context);
}

}  // namespace sbp::cpu
