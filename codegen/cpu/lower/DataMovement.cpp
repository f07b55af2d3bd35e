// Kernels of nn.pad, nn.iota and nn.constant.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ConstantData.h"
#include "dialects/nn/Nn.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

void emitPad(nn::PadOp op, KernelBuilder& builder,
             const KernelArguments& arguments) {
  auto type = typeOf(op.getResult());
  StridedTensor result = dense(op.getResult(), arguments.results[0]);
  Value zero = arith::ConstantOp::create(
      builder, builder.getZeroAttr(type.getElementType()));
  fill(builder, result.first, type.getNumElements(), zero);
  arguments.loops.copy(builder, typeOf(op.getInput()).getShape(),
                       dense(op.getInput(), arguments.operands[0]),
                       shifted(builder, result, op.getLow()));
}

void emitIota(nn::IotaOp op, KernelBuilder& builder,
              const KernelArguments& arguments) {
  Arithmetic x(builder);
  auto type = typeOf(op.getResult());
  Type i64 = builder.getI64Type();
  Value start = op.getStart() ? builder.load(arguments.operands[0])
                              : Value(arith::ConstantOp::create(
                                    builder, builder.getI64IntegerAttr(0)));
  SmallVector<int64_t> strides = rowMajorStrides(type.getShape());
  builder.loops(type.getShape(), [&](ValueRange indices) {
    ElementRef place = arguments.results[0];
    for (auto [index, stride] : llvm::zip_equal(indices, strides))
      place = builder.at(place, builder.mul(index, stride));
    Value index =
        arith::IndexCastOp::create(builder, i64, indices[op.getDim()]);
    builder.store(x.cast(x.add(start, index), type.getElementType()), place);
  });
}

void emitConstant(nn::ConstantOp op, KernelBuilder& builder,
                  const KernelArguments& arguments) {
  auto type = typeOf(op.getResult());
  ElementRef result = arguments.results[0];
  if (type.getNumElements() == 0) return;
  DenseElementsAttr elements = op.getElements();
  if (elements.isSplat()) {
    auto element = elements.getSplatValue<TypedAttr>();
    fill(builder, result, type.getNumElements(),
         arith::ConstantOp::create(builder, element));
    return;
  }
  ElementRef data = addConstantData(builder, result, elements);
  Type element = data.elementType();
  arguments.loops.copy(builder, type.getNumElements(), {data, element, {1}},
                       {result, element, {1}});
}

}  // namespace

void attachDataMovementKernels(MLIRContext& context) {
  nn::PadOp::attachInterface<SimpleKernel<nn::PadOp, emitPad>>(context);
  nn::IotaOp::attachInterface<SimpleKernel<nn::IotaOp, emitIota>>(context);
  nn::ConstantOp::attachInterface<SimpleKernel<nn::ConstantOp, emitConstant>>(
      context);
}

}  // namespace sbp::cpu
