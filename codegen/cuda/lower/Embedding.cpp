// Kernels of nn.embedding and of its gradient.

#include <optional>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

/// Emits the code that finds the row of the table that an index selects. The
/// table may be a part of a larger one; then `firstRow` is an operand with the
/// number of its first row in the larger one.
class TableRows {
 public:
  TableRows(KernelBuilder& builder, ElementRef indices,
            std::optional<ElementRef> firstRow, int64_t numRows)
      : builder_(builder),
        indices_(indices),
        first_(firstRow ? toIndex(builder.load(*firstRow)) : builder.index(0)),
        numRows_(numRows) {}

  /// Returns the row of the table that index number `i` selects. It may lie
  /// outside of the table.
  Value rowOf(Value i) {
    return builder_.sub(toIndex(builder_.load(builder_.at(indices_, i))),
                        first_);
  }

  /// Whether the table has `row`. An unsigned comparison also rejects negative
  /// rows.
  Value isInTable(Value row) {
    return arith::CmpIOp::create(builder_, arith::CmpIPredicate::ult, row,
                                 builder_.index(numRows_));
  }

 private:
  Value toIndex(Value value) {
    return arith::IndexCastOp::create(builder_, builder_.getIndexType(), value);
  }

  KernelBuilder& builder_;
  ElementRef indices_;
  Value first_;
  int64_t numRows_;
};

/// Returns operand `number`, or nullopt if the op does not have it.
std::optional<ElementRef> optionalOperand(ArrayRef<ElementRef> operands,
                                          size_t number) {
  if (number < operands.size()) return operands[number];
  return std::nullopt;
}

/// Emits the kernel of nn.embedding: a thread per element of the result, which
/// is zero if the table does not have the row.
void emitEmbedding(nn::EmbeddingOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  auto table = typeOf(op.getTable());
  const int64_t columns = table.getDimSize(1);
  Type type = computeType(table.getElementType());
  arguments.threads.forEachItem(
      builder, typeOf(op.getResult()).getNumElements(), /*threads=*/1,
      [&](Value number) {
        TableRows rows(builder, arguments.operands[1],
                       optionalOperand(arguments.operands, 2),
                       table.getDimSize(0));
        Value row = rows.rowOf(builder.div(number, columns));
        Value element = builder.branch(
            rows.isInTable(row),
            [&]() -> SmallVector<Value> {
              ElementRef from = builder.at(
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

/// The kernel of nn.embedding_grad. All indices that select the same row form a
/// linked list, in the order of the indices.
///
///   launch 1   writes zeros to all rows; a warp per index finds whether the
///              index is the first of its list, and the next index of the list
///   launch 2   a block per first index adds up the gradients of its list
///
/// So each row is a sum in a fixed order, without atomic operations.
class EmbeddingGradKernel
    : public CudaKernelOpInterface::ExternalModel<EmbeddingGradKernel,
                                                  nn::EmbeddingGradOp> {
 public:
  /// Two i32 per index: whether it is the first of its list, and the next index
  /// of the list (the number of indices if it is the last).
  int64_t getGpuScratchBytes(Operation* op) const {
    return 2 * numIndices(cast<nn::EmbeddingGradOp>(op)) *
           static_cast<int64_t>(sizeof(int32_t));
  }

  void buildKernel(Operation* op, Launches& launches) const {
    auto grad = cast<nn::EmbeddingGradOp>(op);
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitZeros(grad, builder, arguments);
      emitLists(grad, builder, arguments);
    });
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitSums(grad, builder, arguments);
    });
  }

 private:
  static int64_t numIndices(nn::EmbeddingGradOp op) {
    return typeOf(op.getIndices()).getNumElements();
  }

  /// Returns array `which` in scratch memory, with an i32 per index.
  static ElementRef perIndex(nn::EmbeddingGradOp op, KernelBuilder& builder,
                             ElementRef scratch, int64_t which) {
    return builder.view(
        scratch, which * numIndices(op) * static_cast<int64_t>(sizeof(int32_t)),
        builder.getI32Type(), numIndices(op));
  }
  static ElementRef listHeads(nn::EmbeddingGradOp op, KernelBuilder& builder,
                              ElementRef scratch) {
    return perIndex(op, builder, scratch, 0);
  }
  static ElementRef listNexts(nn::EmbeddingGradOp op, KernelBuilder& builder,
                              ElementRef scratch) {
    return perIndex(op, builder, scratch, 1);
  }

  static void emitZeros(nn::EmbeddingGradOp op, KernelBuilder& builder,
                        const KernelArguments& arguments) {
    auto table = typeOf(op.getResult());
    const int64_t count = table.getNumElements();
    const int64_t most = lanesOfAccess(table.getElementType());
    const int64_t lanes = count % most == 0 ? most : 1;
    Value zeros = builder.number(
        VectorType::get(lanes, computeType(table.getElementType())), 0);
    arguments.threads.forEachItem(
        builder, count / lanes, /*threads=*/1, [&](Value number) {
          storeLanes(
              builder, zeros,
              builder.at(arguments.results[0], builder.mul(number, lanes)));
        });
  }

  static void emitLists(nn::EmbeddingGradOp op, KernelBuilder& builder,
                        const KernelArguments& arguments) {
    Type i32 = builder.getI32Type();
    const int64_t count = numIndices(op);
    const auto number = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, i32, value);
    };
    arguments.threads.forEachItem(
        builder, count, kThreadsOfWarp, [&](Value own) {
          TableRows rows(builder, arguments.operands[0],
                         optionalOperand(arguments.operands, 2),
                         typeOf(op.getResult()).getDimSize(0));
          Value lane =
              builder.rem(gpu::ThreadIdOp::create(builder, gpu::Dimension::x),
                          kThreadsOfWarp);
          Value row = rows.rowOf(own);
          SmallVector<Value> found = builder.loop(
              lane, builder.index(count), kThreadsOfWarp,
              {number(0), number(count)},
              [&](Value i, ValueRange carried) -> SmallVector<Value> {
                Value isSame = builder.isEqual(rows.rowOf(i), row);
                Value isBefore = arith::AndIOp::create(builder, isSame,
                                                       builder.isLess(i, own));
                Value isBehind = arith::AndIOp::create(builder, isSame,
                                                       builder.isLess(own, i));
                Value next = arith::SelectOp::create(
                    builder, isBehind,
                    arith::IndexCastOp::create(builder, i32, i), carried[1]);
                return {arith::SelectOp::create(builder, isBefore, number(1),
                                                carried[0]),
                        arith::MinSIOp::create(builder, carried[1], next)};
              });
          Value numBefore = reduceThreads(builder, vector::CombiningKind::ADD,
                                          found[0], kThreadsOfWarp);
          Value next = reduceThreads(builder, vector::CombiningKind::MINSI,
                                     found[1], kThreadsOfWarp);
          Value isFirst = arith::CmpIOp::create(
              builder, arith::CmpIPredicate::eq, numBefore, number(0));
          Value isBegin =
              arith::AndIOp::create(builder, isFirst, rows.isInTable(row));
          builder.branch(builder.isEqual(lane, builder.index(0)), [&] {
            storeOne(
                builder, arith::ExtUIOp::create(builder, i32, isBegin),
                builder.at(listHeads(op, builder, arguments.scratch), own));
            storeOne(
                builder, next,
                builder.at(listNexts(op, builder, arguments.scratch), own));
          });
        });
  }

  static void emitSums(nn::EmbeddingGradOp op, KernelBuilder& builder,
                       const KernelArguments& arguments) {
    auto table = typeOf(op.getResult());
    const int64_t columns = table.getDimSize(1);
    arguments.threads.forEachItem(
        builder, numIndices(op), kThreadsOfBlock, [&](Value own) {
          TableRows rows(builder, arguments.operands[0],
                         optionalOperand(arguments.operands, 2),
                         table.getDimSize(0));
          Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
          Value begin = loadOne(
              builder,
              builder.at(listHeads(op, builder, arguments.scratch), own));
          Value isBegin = arith::CmpIOp::create(
              builder, arith::CmpIPredicate::ne, begin,
              arith::ConstantIntOp::create(builder, begin.getType(), 0));
          builder.branch(isBegin, [&] {
            ElementRef to = builder.at(arguments.results[0],
                                       builder.mul(rows.rowOf(own), columns));
            builder.loop(thread, builder.index(columns), kThreadsOfBlock,
                         [&](Value column) {
                           storeOne(builder,
                                    sumOf(op, builder, arguments, own, column),
                                    builder.at(to, column));
                         });
          });
        });
  }

  /// Emits the sum of the gradients, in `column`, of the list whose first index
  /// is `first`.
  static Value sumOf(nn::EmbeddingGradOp op, KernelBuilder& builder,
                     const KernelArguments& arguments, Value first,
                     Value column) {
    auto table = typeOf(op.getResult());
    Type type = computeType(table.getElementType());
    auto loop = scf::WhileOp::create(
        builder, TypeRange{builder.getIndexType(), type},
        ValueRange{first, builder.number(type, 0)},
        [&](OpBuilder&, Location, ValueRange state) {
          Value isIndex =
              builder.isLess(state[0], builder.index(numIndices(op)));
          scf::ConditionOp::create(builder, isIndex, state);
        },
        [&](OpBuilder&, Location, ValueRange state) {
          ElementRef row =
              builder.at(arguments.operands[1],
                         builder.mul(state[0], table.getDimSize(1)));
          Value sum = arith::AddFOp::create(
              builder, state[1], loadOne(builder, builder.at(row, column)));
          Value next = loadOne(
              builder,
              builder.at(listNexts(op, builder, arguments.scratch), state[0]));
          scf::YieldOp::create(
              builder, ValueRange{arith::IndexCastOp::create(
                                      builder, builder.getIndexType(), next),
                                  sum});
        });
    return loop.getResult(1);
  }
};

}  // namespace

void attachEmbeddingKernels(MLIRContext& context) {
  nn::EmbeddingOp::attachInterface<
      SimpleKernel<nn::EmbeddingOp, emitEmbedding>>(context);
  nn::EmbeddingGradOp::attachInterface<EmbeddingGradKernel>(context);
}

}  // namespace sbp::cuda
