// Kernels of embedding and of its gradient.

#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/lower/AttachKernels.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"

namespace sbp::cpu {

using namespace mlir;

namespace {

/// Emits a loop over the indices. `body` gets the position of an index, the
/// offset of its row in the table, and an i1: whether the table has that row.
/// If the table is a part of a larger one, `firstRow` has the index of its
/// first row in the larger one.
void forIndices(KernelBuilder& builder, RankedTensorType indices,
                ElementRef place, std::optional<ElementRef> firstRow,
                RankedTensorType table,
                llvm::function_ref<void(Value, Value, Value)> body) {
  auto toIndex = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, builder.getIndexType(), value);
  };
  Value first = firstRow ? toIndex(builder.load(*firstRow)) : builder.index(0);
  builder.loop(0, indices.getNumElements(), 1, [&](Value i) {
    Value row = builder.sub(toIndex(builder.load(builder.at(place, i))), first);
    // One comparison suffices: as unsigned numbers, negative rows are large.
    Value isInTable =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, row,
                              builder.index(table.getDimSize(0)));
    body(i, builder.mul(row, table.getDimSize(1)), isInTable);
  });
}

std::optional<ElementRef> optionalPlace(ArrayRef<ElementRef> operands,
                                        size_t number) {
  if (number < operands.size()) return operands[number];
  return std::nullopt;
}

void emitEmbedding(nn::EmbeddingOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  auto table = cast<RankedTensorType>(op.getTable().getType());
  int64_t columns = table.getDimSize(1);
  forIndices(builder, cast<RankedTensorType>(op.getIndices().getType()),
             arguments.operands[1], optionalPlace(arguments.operands, 2), table,
             [&](Value i, Value offset, Value isInTable) {
               ElementRef from = builder.at(arguments.operands[0], offset);
               ElementRef to =
                   builder.at(arguments.results[0], builder.mul(i, columns));
               builder.branch(
                   isInTable,
                   [&]() -> SmallVector<Value> {
                     builder.loop(0, columns, 1, [&](Value column) {
                       builder.store(builder.load(builder.at(from, column)),
                                     builder.at(to, column));
                     });
                     return {};
                   },
                   [&]() -> SmallVector<Value> {
                     fill(builder, to, columns,
                          builder.number(table.getElementType(), 0));
                     return {};
                   });
             });
}

void emitEmbeddingGrad(nn::EmbeddingGradOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
  auto table = cast<RankedTensorType>(op.getResult().getType());
  int64_t columns = table.getDimSize(1);
  fill(builder, arguments.results[0], table.getNumElements(),
       builder.number(table.getElementType(), 0));
  forIndices(builder, cast<RankedTensorType>(op.getIndices().getType()),
             arguments.operands[0], optionalPlace(arguments.operands, 2), table,
             [&](Value i, Value offset, Value isInTable) {
               ElementRef from =
                   builder.at(arguments.operands[1], builder.mul(i, columns));
               ElementRef to = builder.at(arguments.results[0], offset);
               builder.branch(isInTable, [&] {
                 builder.loop(0, columns, 1, [&](Value column) {
                   ElementRef element = builder.at(to, column);
                   Value sum = arith::AddFOp::create(
                       builder, builder.load(element),
                       builder.load(builder.at(from, column)));
                   builder.store(sum, element);
                 });
               });
             });
}

}  // namespace

void attachEmbeddingKernels(MLIRContext& context) {
  nn::EmbeddingOp::attachInterface<
      SimpleKernel<nn::EmbeddingOp, emitEmbedding>>(context);
  nn::EmbeddingGradOp::attachInterface<
      SimpleKernel<nn::EmbeddingGradOp, emitEmbeddingGrad>>(context);
}

}  // namespace sbp::cpu
