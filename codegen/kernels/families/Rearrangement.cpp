// Kernels that copy elements to other positions: reshape, transpose, slice,
// part and concat.

#include "codegen/kernels/KernelOp.h"
#include "codegen/kernels/families/AttachKernels.h"
#include "dialects/nn/Nn.h"

namespace sbp {

using namespace mlir;

namespace {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

void emitReshape(nn::ReshapeOp op, KernelBuilder& builder,
                 const KernelArguments& arguments) {
  Type element = typeOf(op.getInput()).getElementType();
  arguments.loops.copy(builder, typeOf(op.getInput()).getNumElements(),
                       {arguments.operands[0], element, {1}},
                       {arguments.results[0], element, {1}});
}

void emitTranspose(nn::TransposeOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  StridedTensor input = dense(op.getInput(), arguments.operands[0]);
  StridedTensor permuted = input;
  for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
    permuted.strides[dim] = input.strides[from];
  arguments.loops.copy(builder, typeOf(op.getResult()).getShape(), permuted,
                       dense(op.getResult(), arguments.results[0]));
}

void emitSlice(nn::SliceOp op, KernelBuilder& builder,
               const KernelArguments& arguments) {
  arguments.loops.copy(
      builder, op.getSizes(),
      shifted(builder, dense(op.getInput(), arguments.operands[0]),
              op.getOffsets()),
      dense(op.getResult(), arguments.results[0]));
}

void emitPart(nn::PartOp op, KernelBuilder& builder,
              const KernelArguments& arguments) {
  StridedTensor part = dense(op.getInput(), arguments.operands[1]);
  auto dim = static_cast<int64_t>(op.getDim());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, builder.getI64IntegerAttr(value));
  };
  int64_t last = typeOf(op.getInput()).getDimSize(dim) - 1;
  Value within = arith::MinSIOp::create(
      builder,
      arith::MaxSIOp::create(builder, builder.load(arguments.operands[0]),
                             constant(0)),
      constant(last));
  Value index =
      arith::IndexCastOp::create(builder, builder.getIndexType(), within);
  auto* stride = part.strides.begin() + dim;
  part.first = builder.at(part.first, builder.mul(index, *stride));
  part.strides.erase(stride);
  arguments.loops.copy(builder, typeOf(op.getResult()).getShape(), part,
                       dense(op.getResult(), arguments.results[0]));
}

void emitConcat(nn::ConcatOp op, KernelBuilder& builder,
                const KernelArguments& arguments) {
  StridedTensor rest = dense(op.getResult(), arguments.results[0]);
  SmallVector<int64_t> offsets(rest.strides.size(), 0);
  for (auto [input, ref] :
       llvm::zip_equal(op.getInputs(), arguments.operands)) {
    arguments.loops.copy(builder, typeOf(input).getShape(), dense(input, ref),
                         shifted(builder, rest, offsets));
    offsets[op.getDim()] += typeOf(input).getDimSize(op.getDim());
  }
}

}  // namespace

void attachRearrangementKernels(MLIRContext& context) {
  nn::ReshapeOp::attachInterface<PortableKernel<nn::ReshapeOp, emitReshape>>(
      context);
  nn::TransposeOp::attachInterface<
      PortableKernel<nn::TransposeOp, emitTranspose>>(context);
  nn::SliceOp::attachInterface<PortableKernel<nn::SliceOp, emitSlice>>(context);
  nn::PartOp::attachInterface<PortableKernel<nn::PartOp, emitPart>>(context);
  nn::ConcatOp::attachInterface<PortableKernel<nn::ConcatOp, emitConcat>>(
      context);
}

}  // namespace sbp
