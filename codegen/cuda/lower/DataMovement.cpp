// Kernels of nn.pad, nn.iota and nn.constant. A thread computes one element of
// the result.

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ConstantData.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

void emitPad(nn::PadOp op, KernelBuilder& builder,
             const KernelArguments& arguments) {
  auto input = typeOf(op.getInput()), type = typeOf(op.getResult());
  SmallVector<int64_t> strides = rowMajorStrides(input.getShape());
  Type element = memoryType(type.getElementType());
  arguments.threads.forEachItem(
      builder, type.getNumElements(), /*threads=*/1, [&](Value number) {
        ElementRef from = arguments.operands[0];
        Value isValid = arith::ConstantIntOp::create(builder, 1, 1);
        for (auto [dim, index] :
             llvm::enumerate(indicesOf(builder, number, type.getShape()))) {
          Value in = builder.sub(index, builder.index(op.getLow()[dim]));
          // An unsigned comparison also rejects negative indices.
          Value isInside =
              arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, in,
                                    builder.index(input.getDimSize(dim)));
          isValid = arith::AndIOp::create(builder, isValid, isInside);
          from = builder.at(from, builder.mul(in, strides[dim]));
        }
        Value value = builder.branch(
            isValid,
            [&]() -> SmallVector<Value> { return {builder.load(from)}; },
            [&]() -> SmallVector<Value> {
              return {arith::ConstantOp::create(builder,
                                                builder.getZeroAttr(element))};
            })[0];
        builder.store(value, builder.at(arguments.results[0], number));
      });
}

void emitIota(nn::IotaOp op, KernelBuilder& builder,
              const KernelArguments& arguments) {
  Arithmetic x(builder);
  auto type = typeOf(op.getResult());
  arguments.threads.forEachItem(
      builder, type.getNumElements(), /*threads=*/1, [&](Value number) {
        Value index = arith::IndexCastOp::create(
            builder, builder.getI64Type(),
            indicesOf(builder, number, type.getShape())[op.getDim()]);
        if (op.getStart())
          index = x.add(builder.load(arguments.operands[0]), index);
        builder.store(x.cast(index, type.getElementType()),
                      builder.at(arguments.results[0], number));
      });
}

void emitConstant(nn::ConstantOp op, KernelBuilder& builder,
                  const KernelArguments& arguments) {
  auto type = typeOf(op.getResult());
  if (type.getNumElements() == 0) return;
  DenseElementsAttr elements = op.getElements();
  std::optional<ElementRef> data;
  if (!elements.isSplat())
    data = addConstantData(builder, arguments.results[0], elements);
  arguments.threads.forEachItem(
      builder, type.getNumElements(), /*threads=*/1, [&](Value number) {
        ElementRef result = builder.at(arguments.results[0], number);
        if (data)
          return builder.store(builder.load(builder.at(*data, number)), result);
        storeElement(builder,
                     arith::ConstantOp::create(
                         builder, elements.getSplatValue<TypedAttr>()),
                     result);
      });
}

}  // namespace

void attachDataMovementKernels(MLIRContext& context) {
  nn::PadOp::attachInterface<SimpleKernel<nn::PadOp, emitPad>>(context);
  nn::IotaOp::attachInterface<SimpleKernel<nn::IotaOp, emitIota>>(context);
  nn::ConstantOp::attachInterface<SimpleKernel<nn::ConstantOp, emitConstant>>(
      context);
}

}  // namespace sbp::cuda
