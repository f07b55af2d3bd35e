// Kernels of nn.cross_entropy, its gradient, and nn.mse.

#include <algorithm>
#include <limits>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/Rows.h"
#include "codegen/kernels/families/RowExponentials.h"
#include "dialects/nn/Nn.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// Returns the label of `row`, as an index. A negative label becomes a large
/// index in unsigned comparisons.
Value loadLabel(KernelBuilder& builder, ElementRef labels, Value row) {
  return arith::IndexCastOp::create(builder, builder.getIndexType(),
                                    builder.load(builder.at(labels, row)));
}

/// Emits the sum of `terms` terms divided by `divisor`, computed by one block,
/// and stores it to the result. `term` emits a vector of terms.
void emitMean(KernelBuilder& builder, const KernelArguments& arguments,
              int64_t terms, int64_t divisor,
              llvm::function_ref<Value(Rows&, Rows::At)> term) {
  Arithmetic x(builder);
  arguments.loops.forEachRows(
      builder, {1, terms, 1}, builder.getF32Type(), [&](Rows& rows) {
        Value sum = rows.reduce(CombiningKind::ADD,
                                [&](Rows::At at) { return term(rows, at); });
        rows.storeOnePerRow(x.div(sum, x.like(sum, divisor)),
                            arguments.results[0]);
      });
}

/// The kernel of nn.cross_entropy: the mean over rows of
/// log(sum exp(x)) - x[label].
///
///   launch 1   the loss of each row, to scratch memory, in f32
///   launch 2   the mean over all rows
class CrossEntropyKernel
    : public CudaKernelOpInterface::ExternalModel<CrossEntropyKernel,
                                                  nn::CrossEntropyOp> {
 public:
  int64_t getGpuScratchBytes(Operation* op) const {
    return std::max<int64_t>(numRows(cast<nn::CrossEntropyOp>(op)), 1) *
           static_cast<int64_t>(sizeof(float));
  }

  void buildKernel(Operation* op, Launches& launches) const {
    auto loss = cast<nn::CrossEntropyOp>(op);
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitRows(loss, builder, arguments);
    });
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      ElementRef losses = lossesOf(loss, builder, arguments);
      emitMean(builder, arguments, numRows(loss), loss.getDivisor(),
               [&](Rows& rows, Rows::At at) { return rows.load(losses, at); });
    });
  }

 private:
  static int64_t numRows(nn::CrossEntropyOp op) {
    return typeOf(op.getLabels()).getNumElements();
  }
  static ElementRef lossesOf(nn::CrossEntropyOp op, KernelBuilder& builder,
                             const KernelArguments& arguments) {
    return builder.view(arguments.scratch, 0, builder.getF32Type(),
                        numRows(op));
  }

  /// Emits launch 1.
  static void emitRows(nn::CrossEntropyOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
    Arithmetic x(builder);
    ElementRef logits = arguments.operands[0];
    auto type = typeOf(op.getLogits());
    RowShape shape = rowsAlong(type, type.getRank() - 1);
    arguments.loops.forEachRows(
        builder, shape, type.getElementType(), [&](Rows& rows) {
          RowExponentials row = sumExponentials(rows, x, logits);
          Value logSum = x.add(row.max, x.log(row.sum));
          Value label =
              loadLabel(builder, arguments.operands[1], rows.firstRow());
          Value isClass =
              arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, label,
                                    builder.index(shape.length));
          ElementRef first =
              builder.at(logits, builder.mul(rows.firstRow(), shape.length));
          // The loss is NaN if the label is no class.
          Value score = builder.branch(
              isClass,
              [&]() -> SmallVector<Value> {
                return {loadOne(builder, builder.at(first, label))};
              },
              [&]() -> SmallVector<Value> {
                return {
                    builder.number(computeType(type.getElementType()),
                                   std::numeric_limits<double>::quiet_NaN())};
              })[0];
          Value scores =
              builder.broadcast(score, rows.vectorType().getNumElements());
          rows.storeOnePerRow(x.sub(logSum, scores),
                              lossesOf(op, builder, arguments));
        });
  }
};

/// Emits gradient / count * (softmax(x) - one_hot(label)).
void emitCrossEntropyGrad(nn::CrossEntropyGradOp op, KernelBuilder& builder,
                          const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef logits = arguments.operands[0];
  auto type = typeOf(op.getLogits());
  RowShape shape = rowsAlong(type, type.getRank() - 1);
  arguments.loops.forEachRows(
      builder, shape, type.getElementType(), [&](Rows& rows) {
        const int64_t lanes = rows.vectorType().getNumElements();
        Value gradient = loadOne(builder, arguments.operands[2]);
        gradient = x.div(gradient, x.like(gradient, op.getDivisor()));
        gradient = builder.broadcast(gradient, lanes);
        RowExponentials row = sumExponentials(rows, x, logits);
        Value label =
            loadLabel(builder, arguments.operands[1], rows.firstRow());
        auto indices = VectorType::get(lanes, builder.getIndexType());
        SmallVector<Attribute> numbers;
        for (int64_t lane = 0; lane < lanes; ++lane)
          numbers.push_back(builder.getIndexAttr(lane));
        Value lane = arith::ConstantOp::create(
            builder, DenseElementsAttr::get(indices, numbers));
        rows.forEach([&](Rows::At at) {
          Value softmax =
              x.div(x.exp(x.sub(rows.load(logits, at), row.max)), row.sum);
          Value isLabel = arith::CmpIOp::create(
              builder, arith::CmpIPredicate::eq,
              arith::AddIOp::create(builder, lane,
                                    builder.broadcast(at.along, lanes)),
              builder.broadcast(label, lanes));
          Value target =
              x.select(isLabel, x.like(softmax, 1), x.like(softmax, 0));
          rows.store(x.mul(gradient, x.sub(softmax, target)),
                     arguments.results[0], at);
        });
      });
}

void emitMse(nn::MseOp op, KernelBuilder& builder,
             const KernelArguments& arguments) {
  Arithmetic x(builder);
  emitMean(builder, arguments, typeOf(op.getLhs()).getNumElements(),
           op.getDivisor(), [&](Rows& rows, Rows::At at) {
             Value difference = x.sub(rows.load(arguments.operands[0], at),
                                      rows.load(arguments.operands[1], at));
             return x.mul(difference, difference);
           });
}

}  // namespace

void attachLossKernels(MLIRContext& context) {
  nn::CrossEntropyOp::attachInterface<CrossEntropyKernel>(context);
  nn::CrossEntropyGradOp::attachInterface<
      SimpleKernel<nn::CrossEntropyGradOp, emitCrossEntropyGrad, 0>>(context);
  nn::MseOp::attachInterface<SimpleKernel<nn::MseOp, emitMse>>(context);
}

}  // namespace sbp::cuda
