// Kernels of cross-entropy, its gradient, and the mean squared error.

#include <limits>

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/families/RowExponentials.h"
#include "dialects/nn/Nn.h"

namespace sbp::cpu {

using namespace mlir;
using vector::CombiningKind;

namespace {

/// The label of one row of logits, and an i1: whether it is a class.
struct Label {
  Value index;
  Value isClass;
};

Label loadLabel(KernelBuilder& builder, ElementRef labels, Value row,
                int64_t numClasses) {
  Value label = arith::IndexCastOp::create(
      builder, builder.getIndexType(), builder.load(builder.at(labels, row)));
  // One comparison suffices: as unsigned numbers, negative labels are large.
  Value isClass = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                        label, builder.index(numClasses));
  return {label, isClass};
}

Value firstLane(KernelBuilder& builder, Value vector) {
  return vector::ExtractOp::create(builder, vector, 0);
}

void addTo(KernelBuilder& builder, ElementRef place, Value term) {
  builder.store(arith::AddFOp::create(builder, builder.load(place), term),
                place);
}

/// Emits the sum over rows of log(sum exp(x)) - x[label], divided by the op's
/// divisor.
void emitCrossEntropy(nn::CrossEntropyOp op, KernelBuilder& builder,
                      const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef logits = arguments.operands[0];
  ElementRef loss = arguments.results[0];
  auto type = cast<RankedTensorType>(op.getLogits().getType());
  RowShape shape = rowsAlong(type, type.getRank() - 1);
  builder.store(builder.number(type.getElementType(), 0), loss);
  arguments.loops.forEachRows(
      builder, shape, type.getElementType(), [&](Rows& rows) {
        RowExponentials row = sumExponentials(rows, x, logits);
        Value logSum = firstLane(builder, x.add(row.max, x.log(row.sum)));
        Label label = loadLabel(builder, arguments.operands[1], rows.firstRow(),
                                shape.length);
        ElementRef first =
            builder.at(logits, builder.mul(rows.firstRow(), shape.length));
        // The loss of a label that is no class is NaN.
        Value score = builder.branch(
            label.isClass,
            [&]() -> SmallVector<Value> {
              return {builder.load(builder.at(first, label.index))};
            },
            [&]() -> SmallVector<Value> {
              return {builder.number(type.getElementType(),
                                     std::numeric_limits<double>::quiet_NaN())};
            })[0];
        addTo(builder, loss, x.sub(logSum, score));
      });
  Value sum = builder.load(loss);
  builder.store(x.div(sum, x.like(sum, op.getDivisor())), loss);
}

/// Emits gradient / divisor * (softmax(x) - one_hot(label)).
void emitCrossEntropyGrad(nn::CrossEntropyGradOp op, KernelBuilder& builder,
                          const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef result = arguments.results[0];
  auto type = cast<RankedTensorType>(op.getLogits().getType());
  RowShape shape = rowsAlong(type, type.getRank() - 1);
  Value gradient = builder.load(arguments.operands[2]);
  gradient = x.div(gradient, x.like(gradient, op.getDivisor()));
  arguments.loops.forEachRows(
      builder, shape, type.getElementType(), [&](Rows& rows) {
        RowExponentials row = sumExponentials(
            rows, x, arguments.operands[0],
            [&](Rows::At at, Value exp) { rows.store(exp, result, at); });
        int64_t width = rows.vectorType().getNumElements();
        Value scale = x.div(builder.broadcast(gradient, width), row.sum);
        rows.forEach([&](Rows::At at) {
          rows.store(x.mul(rows.load(result, at), scale), result, at);
        });
        Label label = loadLabel(builder, arguments.operands[1], rows.firstRow(),
                                shape.length);
        ElementRef first =
            builder.at(result, builder.mul(rows.firstRow(), shape.length));
        builder.branch(label.isClass, [&] {
          addTo(builder, builder.at(first, label.index), x.neg(gradient));
        });
      });
}

void emitMse(nn::MseOp op, KernelBuilder& builder,
             const KernelArguments& arguments) {
  Arithmetic x(builder);
  auto type = cast<RankedTensorType>(op.getLhs().getType());
  RowShape all{1, type.getNumElements(), 1};
  arguments.loops.forEachRows(
      builder, all, type.getElementType(), [&](Rows& rows) {
        Value sum = rows.reduce(CombiningKind::ADD, [&](Rows::At at) {
          Value difference = x.sub(rows.load(arguments.operands[0], at),
                                   rows.load(arguments.operands[1], at));
          return x.mul(difference, difference);
        });
        rows.storeOnePerRow(x.div(sum, x.like(sum, op.getDivisor())),
                            arguments.results[0]);
      });
}

}  // namespace

void attachLossKernels(MLIRContext& context) {
  nn::CrossEntropyOp::attachInterface<
      SimpleKernel<nn::CrossEntropyOp, emitCrossEntropy>>(context);
  nn::CrossEntropyGradOp::attachInterface<
      SimpleKernel<nn::CrossEntropyGradOp, emitCrossEntropyGrad, 0>>(context);
  nn::MseOp::attachInterface<SimpleKernel<nn::MseOp, emitMse>>(context);
}

}  // namespace sbp::cpu
