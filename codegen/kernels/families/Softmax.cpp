// Kernels of softmax and log_softmax along any dimension, and of their
// gradients.

#include "codegen/kernels/KernelOp.h"
#include "codegen/kernels/families/AttachKernels.h"
#include "codegen/kernels/families/RowExponentials.h"
#include "dialects/nn/Nn.h"

namespace sbp {

using namespace mlir;
using vector::CombiningKind;

namespace {

/// Emits loops over the rows of `tensor` along `dim`.
void forRows(KernelBuilder& builder, const KernelArguments& arguments,
             Value tensor, int64_t dim, llvm::function_ref<void(Rows&)> body) {
  auto type = cast<RankedTensorType>(tensor.getType());
  arguments.loops.forEachRows(builder, rowsAlong(type, dim),
                              type.getElementType(), body);
}

void emitSoftmax(nn::SoftmaxOp op, KernelBuilder& builder,
                 const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef input = arguments.operands[0], result = arguments.results[0];
  forRows(builder, arguments, op.getInput(), op.getDim(), [&](Rows& rows) {
    // The exponentials are kept in the buffer of the result, unless its type is
    // shorter and would round them; then they are computed again.
    const bool areKept =
        rows.vectorType().getElementType() == result.elementType();
    const auto keep = [&](Rows::At at, Value exp) {
      if (areKept) rows.store(exp, result, at);
    };
    RowExponentials row = sumExponentials(rows, x, input, keep);
    Value scale = x.div(x.like(row.sum, 1), row.sum);
    rows.forEach([&](Rows::At at) {
      Value exp = areKept ? rows.load(result, at)
                          : x.exp(x.sub(rows.load(input, at), row.max));
      rows.store(x.mul(exp, scale), result, at);
    });
  });
}

void emitLogSoftmax(nn::LogSoftmaxOp op, KernelBuilder& builder,
                    const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef input = arguments.operands[0];
  forRows(builder, arguments, op.getInput(), op.getDim(), [&](Rows& rows) {
    RowExponentials row = sumExponentials(rows, x, input);
    Value shift = x.add(row.max, x.log(row.sum));
    rows.forEach([&](Rows::At at) {
      rows.store(x.sub(rows.load(input, at), shift), arguments.results[0], at);
    });
  });
}

/// Emits y * (g - sum(g * y)), where y is the output and g its gradient.
void emitSoftmaxGrad(nn::SoftmaxGradOp op, KernelBuilder& builder,
                     const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef output = arguments.operands[0];
  ElementRef gradient = arguments.operands[1];
  forRows(builder, arguments, op.getOutput(), op.getDim(), [&](Rows& rows) {
    Value sum = rows.reduce(CombiningKind::ADD, [&](Rows::At at) {
      return x.mul(rows.load(output, at), rows.load(gradient, at));
    });
    rows.forEach([&](Rows::At at) {
      Value difference = x.sub(rows.load(gradient, at), sum);
      rows.store(x.mul(rows.load(output, at), difference), arguments.results[0],
                 at);
    });
  });
}

/// Emits g - exp(y) * sum(g), where y is the output and g its gradient.
void emitLogSoftmaxGrad(nn::LogSoftmaxGradOp op, KernelBuilder& builder,
                        const KernelArguments& arguments) {
  Arithmetic x(builder);
  ElementRef output = arguments.operands[0];
  ElementRef gradient = arguments.operands[1];
  forRows(builder, arguments, op.getOutput(), op.getDim(), [&](Rows& rows) {
    Value sum = rows.reduce(CombiningKind::ADD, [&](Rows::At at) {
      return rows.load(gradient, at);
    });
    rows.forEach([&](Rows::At at) {
      Value share = x.mul(x.exp(rows.load(output, at)), sum);
      rows.store(x.sub(rows.load(gradient, at), share), arguments.results[0],
                 at);
    });
  });
}

}  // namespace

void attachSoftmaxKernels(MLIRContext& context) {
  nn::SoftmaxOp::attachInterface<PortableKernel<nn::SoftmaxOp, emitSoftmax, 0>>(
      context);
  nn::LogSoftmaxOp::attachInterface<
      PortableKernel<nn::LogSoftmaxOp, emitLogSoftmax, 0>>(context);
  nn::SoftmaxGradOp::attachInterface<
      PortableKernel<nn::SoftmaxGradOp, emitSoftmaxGrad, 0, 1>>(context);
  nn::LogSoftmaxGradOp::attachInterface<
      PortableKernel<nn::LogSoftmaxGradOp, emitLogSoftmaxGrad, 0, 1>>(context);
}

}  // namespace sbp
