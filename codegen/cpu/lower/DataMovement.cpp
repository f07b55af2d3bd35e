// Kernels that move elements and compute nothing.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/Families.h"
#include "codegen/cpu/lower/StridedLoops.h"
#include "codegen/kernels/Arithmetic.h"
#include "dialects/nn/Nn.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// A tensor in loops over its own dimensions.
StridedTensor dense(Value tensor, Place first) {
  return broadcastTo(typeOf(tensor).getShape(), tensor, first);
}

/// The same from the element at `offsets` on.
StridedTensor shifted(KernelBuilder& builder, StridedTensor tensor,
                      ArrayRef<int64_t> offsets) {
  for (auto [offset, stride] : llvm::zip_equal(offsets, tensor.strides))
    tensor.first = builder.at(tensor.first, offset * stride);
  return tensor;
}

void emitReshape(nn::ReshapeOp op, KernelBuilder& builder,
                 const KernelArguments& arguments) {
  Type element = typeOf(op.getInput()).getElementType();
  copyStrided(builder, typeOf(op.getInput()).getNumElements(),
              {arguments.operands[0], element, {1}},
              {arguments.results[0], element, {1}});
}

void emitTranspose(nn::TransposeOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  StridedTensor input = dense(op.getInput(), arguments.operands[0]);
  StridedTensor permuted = input;
  for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
    permuted.strides[dim] = input.strides[from];
  copyStrided(builder, typeOf(op.getResult()).getShape(), permuted,
              dense(op.getResult(), arguments.results[0]));
}

void emitBroadcast(nn::BroadcastOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  ArrayRef<int64_t> shape = typeOf(op.getResult()).getShape();
  copyStrided(builder, shape,
              broadcastTo(shape, op.getInput(), arguments.operands[0]),
              dense(op.getResult(), arguments.results[0]));
}

void emitSlice(nn::SliceOp op, KernelBuilder& builder,
               const KernelArguments& arguments) {
  copyStrided(builder, op.getSizes(),
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
  copyStrided(builder, typeOf(op.getResult()).getShape(), part,
              dense(op.getResult(), arguments.results[0]));
}

void emitPad(nn::PadOp op, KernelBuilder& builder,
             const KernelArguments& arguments) {
  auto type = typeOf(op.getResult());
  StridedTensor result = dense(op.getResult(), arguments.results[0]);
  Value zero = arith::ConstantOp::create(
      builder, builder.getZeroAttr(type.getElementType()));
  fill(builder, result.first, type.getNumElements(), zero);
  copyStrided(builder, typeOf(op.getInput()).getShape(),
              dense(op.getInput(), arguments.operands[0]),
              shifted(builder, result, op.getLow()));
}

void emitConcat(nn::ConcatOp op, KernelBuilder& builder,
                const KernelArguments& arguments) {
  StridedTensor rest = dense(op.getResult(), arguments.results[0]);
  SmallVector<int64_t> offsets(rest.strides.size(), 0);
  for (auto [input, place] :
       llvm::zip_equal(op.getInputs(), arguments.operands)) {
    copyStrided(builder, typeOf(input).getShape(), dense(input, place),
                shifted(builder, rest, offsets));
    offsets[op.getDim()] += typeOf(input).getDimSize(op.getDim());
  }
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
    Place place = arguments.results[0];
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
  Place result = arguments.results[0];
  if (type.getNumElements() == 0) return;
  DenseElementsAttr elements = op.getElements();
  if (elements.isSplat()) {
    auto element = elements.getSplatValue<TypedAttr>();
    fill(builder, result, type.getNumElements(),
         arith::ConstantOp::create(builder, element));
    return;
  }
  // Data of the module, which the kernel copies.
  if (type.getElementType().isInteger(1))
    elements =
        elements.mapValues(builder.getI8Type(),
                           [](const llvm::APInt& bit) { return bit.zext(8); });
  auto flat =
      MemRefType::get(type.getNumElements(), memoryType(type.getElementType()));
  Operation* kernel = result.buffer.getParentRegion()->getParentOp();
  std::string name =
      ("data_of_" + SymbolTable::getSymbolName(kernel).strref()).str();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(kernel);
    memref::GlobalOp::create(
        builder, name, builder.getStringAttr("private"), flat,
        elements.reshape(
            RankedTensorType::get(flat.getShape(), flat.getElementType())),
        /*constant=*/true, /*alignment=*/builder.getI64IntegerAttr(64));
  }
  Place data{memref::GetGlobalOp::create(builder, flat, name),
             builder.index(0)};
  Type element = flat.getElementType();
  copyStrided(builder, flat.getShape(), {data, element, {1}},
              {result, element, {1}});
}

}  // namespace

void attachDataMovementKernels(MLIRContext& context) {
  nn::ReshapeOp::attachInterface<SimpleKernel<nn::ReshapeOp, emitReshape>>(
      context);
  nn::TransposeOp::attachInterface<
      SimpleKernel<nn::TransposeOp, emitTranspose>>(context);
  nn::BroadcastOp::attachInterface<
      SimpleKernel<nn::BroadcastOp, emitBroadcast>>(context);
  nn::SliceOp::attachInterface<SimpleKernel<nn::SliceOp, emitSlice>>(context);
  nn::PartOp::attachInterface<SimpleKernel<nn::PartOp, emitPart>>(context);
  nn::PadOp::attachInterface<SimpleKernel<nn::PadOp, emitPad>>(context);
  nn::ConcatOp::attachInterface<SimpleKernel<nn::ConcatOp, emitConcat>>(
      context);
  nn::IotaOp::attachInterface<SimpleKernel<nn::IotaOp, emitIota>>(context);
  nn::ConstantOp::attachInterface<SimpleKernel<nn::ConstantOp, emitConstant>>(
      context);
}

}  // namespace sbp::cpu
