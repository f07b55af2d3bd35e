// Kernels of embedding and of its gradient.

#include <optional>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/Families.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// The row of the table that index number `i` means; `firstRow`, if given, is
/// the number of the table's first one.
class TableRows {
 public:
  TableRows(KernelBuilder& builder, Place indices,
            std::optional<Place> firstRow, int64_t numRows)
      : builder_(builder),
        indices_(indices),
        first_(firstRow ? toIndex(builder.load(*firstRow)) : builder.index(0)),
        numRows_(numRows) {}

  Value rowOf(Value i) {
    return builder_.sub(toIndex(builder_.load(builder_.at(indices_, i))),
                        first_);
  }

  /// As unsigned numbers, negative ones are large.
  Value isInTable(Value row) {
    return arith::CmpIOp::create(builder_, arith::CmpIPredicate::ult, row,
                                 builder_.index(numRows_));
  }

 private:
  Value toIndex(Value value) {
    return arith::IndexCastOp::create(builder_, builder_.getIndexType(), value);
  }

  KernelBuilder& builder_;
  Place indices_;
  Value first_;
  int64_t numRows_;
};

std::optional<Place> optionalPlace(ArrayRef<Place> operands, size_t number) {
  if (number < operands.size()) return operands[number];
  return std::nullopt;
}

/// A thread for each element; of an index that the table does not have, zero.
void emitEmbedding(nn::EmbeddingOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  auto table = typeOf(op.getTable());
  const int64_t columns = table.getDimSize(1);
  Type type = computeType(table.getElementType());
  arguments.threads.forNumbers(
      builder, typeOf(op.getResult()).getNumElements(), /*threads=*/1,
      [&](Value number) {
        TableRows rows(builder, arguments.operands[1],
                       optionalPlace(arguments.operands, 2),
                       table.getDimSize(0));
        Value row = rows.rowOf(builder.div(number, columns));
        Value element = builder.branch(
            rows.isInTable(row),
            [&]() -> SmallVector<Value> {
              Place from = builder.at(
                  builder.at(arguments.operands[0], builder.mul(row, columns)),
                  builder.rem(number, columns));
              return {loadOne(builder, from)};
            },
            [&]() -> SmallVector<Value> {
              return {builder.number(type, 0)};
            })[0];
        storeOne(builder, element, builder.at(arguments.results[0], number));
      });
}

/// The rows that no index means are zero. Of the indices that mean one row the
/// first has the sum, in their order, by the threads of a block.
class EmbeddingGradKernel
    : public CudaKernelOpInterface::ExternalModel<EmbeddingGradKernel,
                                                  nn::EmbeddingGradOp> {
 public:
  void buildKernel(Operation* op, Launches& launches) const {
    auto grad = cast<nn::EmbeddingGradOp>(op);
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitZeros(grad, builder, arguments);
    });
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitSums(grad, builder, arguments);
    });
  }

 private:
  static void emitZeros(nn::EmbeddingGradOp op, KernelBuilder& builder,
                        const KernelArguments& arguments) {
    auto table = typeOf(op.getResult());
    Value zero = builder.number(computeType(table.getElementType()), 0);
    arguments.threads.forNumbers(
        builder, table.getNumElements(), /*threads=*/1, [&](Value number) {
          storeOne(builder, zero, builder.at(arguments.results[0], number));
        });
  }

  static void emitSums(nn::EmbeddingGradOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
    auto table = typeOf(op.getResult());
    const int64_t columns = table.getDimSize(1);
    const int64_t numIndices = typeOf(op.getIndices()).getNumElements();
    Type element = table.getElementType();
    arguments.threads.forNumbers(
        builder, numIndices, kThreadsOfBlock, [&](Value own) {
          TableRows rows(builder, arguments.operands[0],
                         optionalPlace(arguments.operands, 2),
                         table.getDimSize(0));
          Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
          Value row = rows.rowOf(own);
          Value isFirst = builder.isEqual(
              countEqual(builder, rows, row, thread, own), builder.index(0));
          Value isOwn =
              arith::AndIOp::create(builder, isFirst, rows.isInTable(row));
          builder.branch(isOwn, [&] {
            builder.loop(thread, builder.index(columns), kThreadsOfBlock,
                         [&](Value column) {
                           Value sum = sumOf(builder, rows, row, own,
                                             numIndices, arguments.operands[1],
                                             columns, column, element);
                           Place to = builder.at(arguments.results[0],
                                                 builder.mul(row, columns));
                           storeOne(builder, sum, builder.at(to, column));
                         });
          });
        });
  }

  /// How many of the indices before `own` mean `row`, counted by the block.
  static Value countEqual(KernelBuilder& builder, TableRows& rows, Value row,
                          Value thread, Value own) {
    Type i32 = builder.getI32Type();
    Value zero = arith::ConstantIntOp::create(builder, i32, 0);
    Value count = builder.loop(
        thread, own, kThreadsOfBlock, zero,
        [&](Value i, ValueRange carried) -> SmallVector<Value> {
          Value isEqual = arith::ExtUIOp::create(
              builder, i32, builder.isEqual(rows.rowOf(i), row));
          return {arith::AddIOp::create(builder, carried[0], isEqual)};
        })[0];
    count = reduceThreads(builder, vector::CombiningKind::ADD, count,
                          kThreadsOfBlock);
    return arith::IndexCastOp::create(builder, builder.getIndexType(), count);
  }

  static Value sumOf(KernelBuilder& builder, TableRows& rows, Value row,
                     Value first, int64_t numIndices, Place gradients,
                     int64_t columns, Value column, Type element) {
    Value zero = builder.number(computeType(element), 0);
    return builder.loop(
        first, builder.index(numIndices), 1, zero,
        [&](Value i, ValueRange carried) -> SmallVector<Value> {
          return builder.branch(
              builder.isEqual(rows.rowOf(i), row),
              [&]() -> SmallVector<Value> {
                Place from = builder.at(
                    builder.at(gradients, builder.mul(i, columns)), column);
                return {arith::AddFOp::create(builder, carried[0],
                                              loadOne(builder, from))};
              },
              [&]() -> SmallVector<Value> { return {carried[0]}; });
        })[0];
  }
};

}  // namespace

void attachEmbeddingKernels(MLIRContext& context) {
  nn::EmbeddingOp::attachInterface<
      SimpleKernel<nn::EmbeddingOp, emitEmbedding>>(context);
  nn::EmbeddingGradOp::attachInterface<EmbeddingGradKernel>(context);
}

}  // namespace sbp::cuda
