// Kernels of nn.pool and of its gradient.
//
// In the forward kernel a thread computes one output from the inputs in its
// window. In the gradient a thread computes one input's gradient from all
// outputs whose window has the input. "position" is the linear index of an
// element of a window.
//
//   launch 1   per output, if extremes are pooled: the position of the first
//              extreme in its window
//   launch 2   per input: the sum of the gradients of outputs; if extremes are
//              pooled, only of outputs whose extreme is this input

#include <optional>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/cuda/lower/WindowPoints.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ReduceKinds.h"
#include "codegen/kernels/Rows.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

/// Returns how a pooling combines inputs.
template <typename PoolLikeOp>
CombiningKind combiningKindOf(PoolLikeOp op) {
  return combiningKind(op.getKind(), getElementTypeOrSelf(op.getInput()));
}

/// Whether `op` is the gradient of a maximum or minimum pooling.
bool isOfExtremes(nn::PoolGradOp op) {
  return combiningKindOf(op) != CombiningKind::ADD;
}

WindowedShape shapeOf(nn::PoolOp op) {
  return {op, op.getInput(), op.getResult()};
}
WindowedShape shapeOf(nn::PoolGradOp op) {
  return {op, op.getInput(), op.getGradient()};
}

/// Emits the code of a pooling, or of its gradient.
class Pooling {
 public:
  template <typename PoolLikeOp>
  Pooling(PoolLikeOp op, KernelBuilder& builder,
          const KernelArguments& arguments)
      : builder_(builder),
        x_(builder),
        threads_(arguments.threads),
        kind_(combiningKindOf(op)),
        isMean_(op.getKind() == nn::ReduceKind::Mean),
        compute_(computeType(getElementTypeOrSelf(op.getInput()))),
        points_(builder, shapeOf(op),
                ArrayRef(arguments.operands).take_back(op.getFirst().size())) {}

  /// Emits `body` for each output, or for each input, a thread each. `body`
  /// gets the linear index of the element in the tensor, the index of its plane
  /// (a channel of a sample), and its linear index in the plane.
  using Body = llvm::function_ref<void(Value, Value, Value)>;
  void forOutputs(Body body) { forPoints(shape().outputPoints(), body); }
  void forInputs(Body body) { forPoints(shape().inputPoints(), body); }

  /// Returns the sum or extreme of the inputs in the window of `output`.
  /// `inputs` is the first input of the plane.
  Value pool(ElementRef inputs, Value output) {
    Value nothing = vector::ExtractOp::create(
        builder_, neutralElement(builder_, kind_, VectorType::get(1, compute_)),
        0);
    return forSeen(inputs, output, nothing,
                   [&](Value before, Value seen, Value) {
                     return combine(builder_, kind_, before, seen);
                   });
  }

  /// Returns `sum`, divided by the number of elements of a window if the
  /// pooling is a mean.
  Value divided(Value sum) {
    if (!isMean_) return sum;
    return x_.div(sum, x_.like(sum, shape().windowPoints()));
  }

  /// Returns the first position in the window of `output` whose input is the
  /// extreme, an i32. Returns the number of elements of the window if there is
  /// none (the window lies in padding, or the extreme is NaN).
  Value positionOfExtreme(ElementRef inputs, Value output) {
    Value extreme = pool(inputs, output);
    Value none = noPosition();
    return forSeen(inputs, output, none,
                   [&](Value before, Value seen, Value position) -> Value {
                     Value isFirst = builder_.createOrFold<arith::AndIOp>(
                         builder_.isEqual(before, none),
                         x_.compare(nn::Predicate::Equal, seen, extreme));
                     return x_.select(isFirst, toI32(position), before);
                   });
  }

  /// Returns the gradient of `input`: the sum of the gradients of the outputs
  /// whose window has the input. If `positions` is given, only outputs count
  /// whose extreme is at the input. `gradients` and `positions` (of extremes)
  /// are the first ones of the plane.
  Value gradient(ElementRef gradients, std::optional<ElementRef> positions,
                 Value input) {
    Value sum = forPositions(
        builder_.number(compute_, 0),
        [&](Value before, Value position) -> Value {
          Point output = points_.outputOf(input, position);
          return branch(output.isValid(), before, [&] {
            Value after = x_.add(
                before, loadOne(builder_,
                                builder_.at(gradients, output.linearIndex())));
            if (!positions) return after;
            Value isOwn = builder_.isEqual(
                builder_.load(builder_.at(*positions, output.linearIndex())),
                toI32(position));
            return x_.select(isOwn, after, before);
          });
        });
    return divided(sum);
  }

  const WindowedShape& shape() const { return points_.shape(); }

 private:
  void forPoints(int64_t pointsOfPlane, Body body) {
    threads_.forEachItem(builder_,
                         shape().samples * shape().channels * pointsOfPlane,
                         /*threads=*/1, [&](Value number) {
                           body(number, builder_.div(number, pointsOfPlane),
                                builder_.rem(number, pointsOfPlane));
                         });
  }

  /// Emits a loop over the positions of a window that carries a value. `next`
  /// returns the next value from the value and the position.
  Value forPositions(Value initial,
                     llvm::function_ref<Value(Value, Value)> next) {
    return builder_.loop(
        builder_.index(0), builder_.index(shape().windowPoints()), 1, initial,
        [&](Value position, ValueRange carried) -> SmallVector<Value> {
          return {next(carried[0], position)};
        })[0];
  }

  /// Emits a loop over the inputs in the window of `output`, without padding,
  /// that carries a value. `next` returns the next value from the value, the
  /// input and its position.
  Value forSeen(ElementRef inputs, Value output, Value initial,
                llvm::function_ref<Value(Value, Value, Value)> next) {
    return forPositions(initial, [&](Value before, Value position) {
      Point input = points_.inputOf(output, position);
      return branch(input.isValid(), before, [&] {
        return next(before,
                    loadOne(builder_, builder_.at(inputs, input.linearIndex())),
                    position);
      });
    });
  }

  /// Returns the result of `then` if `condition` is true, or else `otherwise`.
  Value branch(Value condition, Value otherwise,
               llvm::function_ref<Value()> then) {
    return builder_.branch(
        condition, [&]() -> SmallVector<Value> { return {then()}; },
        [&]() -> SmallVector<Value> { return {otherwise}; })[0];
  }

  Value toI32(Value index) {
    return arith::IndexCastOp::create(builder_, builder_.getI32Type(), index);
  }
  Value noPosition() { return toI32(builder_.index(shape().windowPoints())); }

  KernelBuilder& builder_;
  Arithmetic x_;
  ThreadLoops& threads_;
  CombiningKind kind_;
  bool isMean_;
  Type compute_;
  WindowPoints points_;
};

void emitPool(nn::PoolOp op, KernelBuilder& builder,
              const KernelArguments& arguments) {
  Pooling pooling(op, builder, arguments);
  const int64_t inputs = pooling.shape().inputPoints();
  pooling.forOutputs([&](Value number, Value plane, Value output) {
    ElementRef seen =
        builder.at(arguments.operands[0], builder.mul(plane, inputs));
    storeOne(builder, pooling.divided(pooling.pool(seen, output)),
             builder.at(arguments.results[0], number));
  });
}

/// The kernel of nn.pool_grad.
class PoolGradKernel
    : public CudaKernelOpInterface::ExternalModel<PoolGradKernel,
                                                  nn::PoolGradOp> {
 public:
  /// An i32 per output, for the position of its extreme.
  int64_t getGpuScratchBytes(Operation* op) const {
    auto pool = cast<nn::PoolGradOp>(op);
    if (!isOfExtremes(pool)) return 0;
    return numOutputs(pool) * static_cast<int64_t>(sizeof(int32_t));
  }

  void buildKernel(Operation* op, Launches& launches) const {
    auto pool = cast<nn::PoolGradOp>(op);
    if (isOfExtremes(pool))
      launches.add(
          [&](KernelBuilder& builder, const KernelArguments& arguments) {
            emitPositions(pool, builder, arguments);
          });
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitGradients(pool, builder, arguments);
    });
  }

 private:
  static int64_t numOutputs(nn::PoolGradOp op) {
    return op.getGradient().getType().getNumElements();
  }

  static ElementRef positionsIn(nn::PoolGradOp op, KernelBuilder& builder,
                                ElementRef scratch) {
    return builder.view(scratch, 0, builder.getI32Type(), numOutputs(op));
  }

  static void emitPositions(nn::PoolGradOp op, KernelBuilder& builder,
                            const KernelArguments& arguments) {
    Pooling pooling(op, builder, arguments);
    const int64_t inputs = pooling.shape().inputPoints();
    pooling.forOutputs([&](Value number, Value plane, Value output) {
      ElementRef seen =
          builder.at(arguments.operands[0], builder.mul(plane, inputs));
      builder.store(
          pooling.positionOfExtreme(seen, output),
          builder.at(positionsIn(op, builder, arguments.scratch), number));
    });
  }

  static void emitGradients(nn::PoolGradOp op, KernelBuilder& builder,
                            const KernelArguments& arguments) {
    Pooling pooling(op, builder, arguments);
    const int64_t outputs = pooling.shape().outputPoints();
    pooling.forInputs([&](Value number, Value plane, Value input) {
      Value first = builder.mul(plane, outputs);
      std::optional<ElementRef> positions;
      // Without outputs there is no scratch memory.
      if (isOfExtremes(op) && numOutputs(op) != 0)
        positions =
            builder.at(positionsIn(op, builder, arguments.scratch), first);
      storeOne(builder,
               pooling.gradient(builder.at(arguments.operands[1], first),
                                positions, input),
               builder.at(arguments.results[0], number));
    });
  }
};

}  // namespace

void attachPoolKernels(MLIRContext& context) {
  nn::PoolOp::attachInterface<SimpleKernel<nn::PoolOp, emitPool>>(context);
  nn::PoolGradOp::attachInterface<PoolGradKernel>(context);
}

}  // namespace sbp::cuda
