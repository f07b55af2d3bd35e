// Kernels of nn.attention and of its gradient. A block of threads computes some
// rows of one head (AttentionBlock.h).
//
// A block of queries loops over tiles of the keys that the queries see. Softmax
// is computed online: m is the largest score of a query so far, l the sum of
// exp(score - m), o the weighted sum of values v. Each tile of scores updates
// them (Milakov, Gimelshein, "Online normalizer calculation for softmax",
// 2018):
//
//   m' = max(m, scores)     p = exp(scores - m')
//   l' = l exp(m - m') + sum p
//   o' = o exp(m - m') + sum p v                       result = o / l
//
// So the scores are never stored, and memory is linear in the number of rows.
// The gradient computes the scores again (Dao et al., "FlashAttention", 2022).
// With queries q, keys k, weights p = softmax(scores) and the result's gradient
// g:
//
//   dp = g v^T     D = sum p dp     ds = p (dp - D) scale
//
//   launch 1   per block of queries: log(sum exp(scores)) and D
//   launch 2   per block of queries: gradient of queries, ds k
//   launch 3   per block of keys: gradient of keys, ds^T q
//   launch 4   per block of keys: gradient of values, p^T g

#include <limits>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/cuda/lower/AttentionBlock.h"
#include "codegen/kernels/Arithmetic.h"
#include "dialects/nn/Nn.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Initial value of the largest score. It is finite, so that the row of a query
/// that sees no key has no NaNs.
constexpr double kLowest = std::numeric_limits<float>::lowest();

using ThreadFragment = AttentionBlock::ThreadFragment;

/// The shape of an attention. `heads` is the product of all batch dimensions;
/// `features` is the width of queries and keys, `values` that of values.
struct AttentionShape {
  int64_t heads = 1, queries = 0, keys = 0, features = 0, values = 0;
  bool isCausal = false;
  double scale = 1;
  Type compute;

  template <typename Op>
  explicit AttentionShape(Op op)
      : isCausal(op.getCausal()), scale(op.getScale().convertToDouble()) {
    auto query = cast<RankedTensorType>(op.getQuery().getType());
    auto value = cast<RankedTensorType>(op.getValue().getType());
    for (int64_t extent : query.getShape().drop_back(2)) heads *= extent;
    queries = query.getShape().take_back(2)[0];
    features = query.getShape().back();
    keys = value.getShape().take_back(2)[0];
    values = value.getShape().back();
    compute = computeType(query.getElementType());
  }

  /// The last key that query t sees in causal attention is t + keyOffset().
  int64_t keyOffset() const { return keys - queries; }
};

/// Finds the matrices of one head in tensors of all heads. `queryMatrix`
/// returns the head's matrix in a tensor of the shape of the queries, and so
/// on.
class Head {
 public:
  Head(const AttentionShape& shape, KernelBuilder& builder, Value number)
      : shape_(shape), builder_(builder), number_(number) {}

  DenseMatrix queryMatrix(ElementRef tensor) const {
    return matrix(tensor, shape_.queries, shape_.features);
  }
  DenseMatrix keyMatrix(ElementRef tensor) const {
    return matrix(tensor, shape_.keys, shape_.features);
  }
  DenseMatrix valueMatrix(ElementRef tensor) const {
    return matrix(tensor, shape_.keys, shape_.values);
  }
  DenseMatrix resultMatrix(ElementRef tensor) const {
    return matrix(tensor, shape_.queries, shape_.values);
  }
  /// Returns the head's part of a tensor with one element per query, as a row.
  DenseMatrix perQuery(ElementRef tensor) const {
    return matrix(tensor, 1, shape_.queries);
  }

 private:
  DenseMatrix matrix(ElementRef tensor, int64_t rows, int64_t columns) const {
    return {builder_.at(tensor, builder_.mul(number_, rows * columns)), rows,
            columns};
  }

  const AttentionShape& shape_;
  KernelBuilder& builder_;
  Value number_;
};

/// Emits the code of a launch whose blocks compute rows of queries, or rows of
/// keys.
class AttentionCode {
 public:
  AttentionCode(const AttentionShape& shape, KernelBuilder& builder,
                AttentionBlock& block)
      : shape_(shape), builder_(builder), x_(builder), block_(block) {}

  /// Divides the launch into blocks: one per head, tile of rows, and tile of
  /// the `columns` of the sums. `body` gets the head, the first row and the
  /// first column of its block. With `isReversed`, the blocks of the last rows
  /// come first; they have most to do if attention is causal.
  void forBlocks(const KernelArguments& arguments, int64_t rows,
                 int64_t columns, bool isReversed,
                 llvm::function_ref<void(const Head&, Value, Value)> body) {
    const int64_t blocks = llvm::divideCeil(rows, AttentionBlock::tileOf(rows));
    const int64_t parts =
        llvm::divideCeil(columns, AttentionBlock::tileOf(columns));
    arguments.threads.forEachItem(
        builder_, shape_.heads * blocks * parts, kThreadsOfBlock,
        [&](Value number) {
          SmallVector<Value> at =
              indicesOf(builder_, number, {shape_.heads, blocks, parts});
          if (isReversed)
            at[1] = builder_.sub(builder_.index(blocks - 1), at[1]);
          Value first = builder_.mul(at[1], AttentionBlock::tileOf(rows));
          block_.begin(first);
          body(Head(shape_, builder_, at[0]), first,
               builder_.mul(at[2], AttentionBlock::tileOf(columns)));
        });
  }

  /// Emits a loop over tiles of keys, up to the last key that a query of the
  /// block at `firstRow` sees. `body` gets the first key of the tile.
  ThreadFragment forKeys(Value firstRow, const ThreadFragment& initial,
                         KernelBuilder::CarryingBody body) {
    Value end = builder_.index(shape_.keys);
    if (shape_.isCausal)
      end = builder_.min(
          end, builder_.add(firstRow, AttentionBlock::tileOf(shape_.queries) +
                                          shape_.keyOffset()));
    return builder_.loop(builder_.index(0), end,
                         AttentionBlock::tileOfOthers(shape_.keys), initial,
                         body);
  }

  /// Emits a loop over tiles of queries, from the first query that sees a key
  /// of the block at `firstRow` on. `body` gets the first query of the tile.
  ThreadFragment forQueries(Value firstRow, const ThreadFragment& initial,
                            KernelBuilder::CarryingBody body) {
    const int64_t tile = AttentionBlock::tileOfOthers(shape_.queries);
    Value begin = builder_.index(0);
    if (shape_.isCausal) {
      begin = builder_.max(begin, builder_.add(firstRow, -shape_.keyOffset()));
      begin = builder_.sub(begin, builder_.rem(begin, tile));
    }
    return builder_.loop(begin, builder_.index(shape_.queries), tile, initial,
                         body);
  }

  /// Masks `weights`, whose rows are queries: returns them with `otherwise` in
  /// place of the weights of keys that a query does not see.
  ThreadFragment maskUnseenKeys(ThreadFragment weights, Value firstKey,
                                double otherwise) {
    for (auto [i, weight] : llvm::enumerate(weights)) {
      Value key =
          builder_.add(block_.firstOther(firstKey), static_cast<int64_t>(i));
      if (shape_.isCausal)
        weight = x_.select(
            block_.compareRows(nn::Predicate::GreaterEqual,
                               builder_.add(key, -shape_.keyOffset())),
            weight, block_.splat(otherwise));
      if (shape_.keys % AttentionBlock::tileOfOthers(shape_.keys) != 0)
        weight = x_.select(builder_.isLess(key, builder_.index(shape_.keys)),
                           weight, block_.splat(otherwise));
    }
    return weights;
  }

  /// Masks `weights`, whose rows are keys: returns them with zero in place of
  /// the weights of queries that do not see a key.
  ThreadFragment maskUnseeingQueries(ThreadFragment weights, Value firstQuery) {
    if (!shape_.isCausal) return weights;
    for (auto [i, weight] : llvm::enumerate(weights)) {
      Value query =
          builder_.add(block_.firstOther(firstQuery), static_cast<int64_t>(i));
      weight =
          x_.select(block_.compareRows(nn::Predicate::LessEqual,
                                       builder_.add(query, shape_.keyOffset())),
                    weight, block_.splat(0));
    }
    return weights;
  }

  /// Returns `perRow`, a number per query, with zero for queries that see no
  /// key.
  Value zeroQueriesWithoutKeys(Value perRow) {
    if (shape_.keys > 0 && (!shape_.isCausal || shape_.keyOffset() >= 0))
      return perRow;
    Value hasNoKeys = block_.compareRows(nn::Predicate::Less,
                                         builder_.index(-shape_.keyOffset()));
    return x_.select(hasNoKeys, block_.splat(0), perRow);
  }

  /// Returns the scores of the block's rows of `rows` and the rows of `others`
  /// from `firstOther` on.
  ThreadFragment scores(const DenseMatrix& rows, const DenseMatrix& others,
                        Value firstOther) {
    ThreadFragment scores = block_.products(rows, others, firstOther);
    for (Value& score : scores)
      score = x_.mul(score, block_.splat(shape_.scale));
    return scores;
  }

  /// The state of online softmax: the largest score of each query so far, and
  /// the thread's part of the sum of exp(score - largest).
  struct Softmax {
    Value largest, sum;
  };
  Softmax initialSoftmax() { return {block_.splat(kLowest), block_.splat(0)}; }

  /// Updates `softmax` with a tile of scores, and replaces each score by
  /// exp(score - largest). Returns the factor by which sums over earlier tiles
  /// have to be multiplied.
  Value update(Softmax& softmax, ThreadFragment& scores) {
    Value largest = scores.front();
    for (Value score : ArrayRef(scores).drop_front())
      largest = x_.max(largest, score);
    largest = x_.max(softmax.largest,
                     block_.reduce(CombiningKind::MAXIMUMF, largest));
    Value shrink = x_.exp(x_.sub(softmax.largest, largest));
    softmax = {largest, x_.mul(softmax.sum, shrink)};
    for (Value& score : scores) {
      score = x_.exp(x_.sub(score, largest));
      softmax.sum = x_.add(softmax.sum, score);
    }
    return shrink;
  }

 private:
  const AttentionShape& shape_;
  KernelBuilder& builder_;
  Arithmetic x_;
  AttentionBlock& block_;
};

void emitAttention(nn::AttentionOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  const AttentionShape shape(op);
  Arithmetic x(builder);
  AttentionBlock block(builder, shape.compute, shape.queries, shape.keys,
                       shape.values);
  AttentionCode code(shape, builder, block);
  code.forBlocks(
      arguments, shape.queries, shape.values, shape.isCausal,
      [&](const Head& head, Value firstRow, Value firstColumn) {
        const AttentionCode::Softmax begin = code.initialSoftmax();
        ThreadFragment initial = {begin.largest, begin.sum};
        llvm::append_range(initial, block.zeroSums(shape.values));
        ThreadFragment carried = code.forKeys(
            firstRow, initial, [&](Value firstKey, ValueRange before) {
              AttentionCode::Softmax softmax = {before[0], before[1]};
              ThreadFragment weights = code.maskUnseenKeys(
                  code.scores(head.queryMatrix(arguments.operands[0]),
                              head.keyMatrix(arguments.operands[1]), firstKey),
                  firstKey, -kInfinity);
              Value shrink = code.update(softmax, weights);
              block.storeWeights(weights);
              ThreadFragment next = {softmax.largest, softmax.sum};
              llvm::append_range(
                  next, block.addRows(
                            block.scale(llvm::to_vector(before.drop_front(2)),
                                        shrink),
                            head.valueMatrix(arguments.operands[2]), firstKey,
                            firstColumn));
              return next;
            });
        Value sum = block.reduce(CombiningKind::ADD, carried[1]);
        Value factor = code.zeroQueriesWithoutKeys(x.div(block.splat(1), sum));
        block.store(
            block.scale(ThreadFragment(llvm::drop_begin(carried, 2)), factor),
            head.resultMatrix(arguments.results[0]), firstColumn);
      });
}

class AttentionGradKernel
    : public CudaKernelOpInterface::ExternalModel<AttentionGradKernel,
                                                  nn::AttentionGradOp> {
 public:
  /// Two f32 per query: log(sum exp) and D.
  int64_t getGpuScratchBytes(Operation* op) const {
    return 2 * numRows(AttentionShape(cast<nn::AttentionGradOp>(op))) *
           static_cast<int64_t>(sizeof(float));
  }

  void buildKernel(Operation* op, Launches& launches) const {
    const AttentionShape shape(cast<nn::AttentionGradOp>(op));
    for (auto* emit : {&emitStatistics, &emitQueries, &emitKeys, &emitValues})
      launches.add(
          [&](KernelBuilder& builder, const KernelArguments& arguments) {
            emit(shape, builder, arguments);
          });
  }

 private:
  static int64_t numRows(const AttentionShape& shape) {
    return shape.heads * shape.queries;
  }

  /// The operands of the gradient, and the statistics of launch 1, of one head.
  struct Matrices {
    Matrices(const AttentionShape& shape, KernelBuilder& builder,
             const KernelArguments& arguments, const Head& head)
        : query(head.queryMatrix(arguments.operands[0])),
          key(head.keyMatrix(arguments.operands[1])),
          value(head.valueMatrix(arguments.operands[2])),
          gradient(head.resultMatrix(arguments.operands[3])),
          logSums(statistic(shape, builder, arguments, head, 0)),
          correlations(statistic(shape, builder, arguments, head, 1)) {}

    static DenseMatrix statistic(const AttentionShape& shape,
                                 KernelBuilder& builder,
                                 const KernelArguments& arguments,
                                 const Head& head, int64_t which) {
      return head.perQuery(builder.view(
          arguments.scratch,
          which * numRows(shape) * static_cast<int64_t>(sizeof(float)),
          builder.getF32Type(), numRows(shape)));
    }

    DenseMatrix query, key, value, gradient, logSums, correlations;
  };

  /// Emits launch 1: log(sum exp) and D of each query.
  static void emitStatistics(const AttentionShape& shape,
                             KernelBuilder& builder,
                             const KernelArguments& arguments) {
    Arithmetic x(builder);
    AttentionBlock block(builder, shape.compute, shape.queries, shape.keys,
                         /*columns=*/0);
    AttentionCode code(shape, builder, block);
    code.forBlocks(
        arguments, shape.queries, /*columns=*/1, shape.isCausal,
        [&](const Head& head, Value firstRow, Value) {
          const Matrices matrices(shape, builder, arguments, head);
          const AttentionCode::Softmax begin = code.initialSoftmax();
          ThreadFragment carried = code.forKeys(
              firstRow, {begin.largest, begin.sum, block.splat(0)},
              [&](Value firstKey, ValueRange before) -> ThreadFragment {
                AttentionCode::Softmax softmax = {before[0], before[1]};
                ThreadFragment weights = code.maskUnseenKeys(
                    code.scores(matrices.query, matrices.key, firstKey),
                    firstKey, -kInfinity);
                Value shrink = code.update(softmax, weights);
                Value sum = x.mul(before[2], shrink);
                ThreadFragment gradients =
                    block.products(matrices.gradient, matrices.value, firstKey);
                for (auto [weight, gradient] :
                     llvm::zip_equal(weights, gradients))
                  sum = builder.multiplyAdd(weight, gradient, sum);
                return {softmax.largest, softmax.sum, sum};
              });
          Value sum = block.reduce(CombiningKind::ADD, carried[1]);
          Value logSum = x.add(carried[0], x.log(sum));
          Value correlation =
              x.div(block.reduce(CombiningKind::ADD, carried[2]), sum);
          builder.branch(block.isFirstThreadOfRow(), [&] {
            block.store(code.zeroQueriesWithoutKeys(logSum), matrices.logSums);
            block.store(code.zeroQueriesWithoutKeys(correlation),
                        matrices.correlations);
          });
        });
  }

  /// Returns the weight exp(score - logSum); `logSum` is log(sum exp).
  static Value weight(Arithmetic& x, Value score, Value logSum) {
    return x.exp(x.sub(score, logSum));
  }

  /// Returns ds, the gradient of the dot product of a query and a key. The
  /// score is this product times the scale.
  static Value scoreGradient(const AttentionShape& shape, Arithmetic& x,
                             Value weight, Value gradient, Value correlation) {
    return x.mul(x.mul(weight, x.sub(gradient, correlation)),
                 x.like(weight, shape.scale));
  }

  /// Emits launch 2: the gradient of the queries.
  static void emitQueries(const AttentionShape& shape, KernelBuilder& builder,
                          const KernelArguments& arguments) {
    Arithmetic x(builder);
    AttentionBlock block(builder, shape.compute, shape.queries, shape.keys,
                         shape.features);
    AttentionCode code(shape, builder, block);
    code.forBlocks(
        arguments, shape.queries, shape.features, shape.isCausal,
        [&](const Head& head, Value firstRow, Value firstColumn) {
          const Matrices matrices(shape, builder, arguments, head);
          Value logSum = block.load(matrices.logSums);
          Value correlation = block.load(matrices.correlations);
          ThreadFragment sums = code.forKeys(
              firstRow, block.zeroSums(shape.features),
              [&](Value firstKey, ValueRange before) {
                ThreadFragment weights =
                    code.scores(matrices.query, matrices.key, firstKey);
                for (Value& each : weights) each = weight(x, each, logSum);
                block.storeWeights(code.maskUnseenKeys(weights, firstKey, 0));
                ThreadFragment gradients =
                    block.products(matrices.gradient, matrices.value, firstKey);
                weights = block.loadWeights();
                for (auto [each, gradient] :
                     llvm::zip_equal(weights, gradients))
                  each = scoreGradient(shape, x, each, gradient, correlation);
                block.storeWeights(weights);
                return block.addRows(llvm::to_vector(before), matrices.key,
                                     firstKey, firstColumn);
              });
          block.store(sums, head.queryMatrix(arguments.results[0]),
                      firstColumn);
        });
  }

  /// Returns the weights of the block's keys for the queries from `firstQuery`
  /// on.
  static ThreadFragment weightsOfKeys(AttentionCode& code,
                                      AttentionBlock& block, Arithmetic& x,
                                      const Matrices& matrices,
                                      Value firstQuery) {
    ThreadFragment weights =
        code.scores(matrices.key, matrices.query, firstQuery);
    for (auto [each, logSum] : llvm::zip_equal(
             weights, block.loadPerOther(matrices.logSums, firstQuery)))
      each = weight(x, each, logSum);
    return code.maskUnseeingQueries(weights, firstQuery);
  }

  /// Emits launch 3: the gradient of the keys.
  static void emitKeys(const AttentionShape& shape, KernelBuilder& builder,
                       const KernelArguments& arguments) {
    Arithmetic x(builder);
    AttentionBlock block(builder, shape.compute, shape.keys, shape.queries,
                         shape.features);
    AttentionCode code(shape, builder, block);
    code.forBlocks(
        arguments, shape.keys, shape.features, /*isReversed=*/false,
        [&](const Head& head, Value firstRow, Value firstColumn) {
          const Matrices matrices(shape, builder, arguments, head);
          ThreadFragment sums = code.forQueries(
              firstRow, block.zeroSums(shape.features),
              [&](Value firstQuery, ValueRange before) {
                block.storeWeights(
                    weightsOfKeys(code, block, x, matrices, firstQuery));
                ThreadFragment gradients = block.products(
                    matrices.value, matrices.gradient, firstQuery);
                ThreadFragment weights = block.loadWeights();
                for (auto [each, gradient, correlation] : llvm::zip_equal(
                         weights, gradients,
                         block.loadPerOther(matrices.correlations, firstQuery)))
                  each = scoreGradient(shape, x, each, gradient, correlation);
                block.storeWeights(weights);
                return block.addRows(llvm::to_vector(before), matrices.query,
                                     firstQuery, firstColumn);
              });
          block.store(sums, head.keyMatrix(arguments.results[1]), firstColumn);
        });
  }

  /// Emits launch 4: the gradient of the values.
  static void emitValues(const AttentionShape& shape, KernelBuilder& builder,
                         const KernelArguments& arguments) {
    Arithmetic x(builder);
    AttentionBlock block(builder, shape.compute, shape.keys, shape.queries,
                         shape.values);
    AttentionCode code(shape, builder, block);
    code.forBlocks(arguments, shape.keys, shape.values, /*isReversed=*/false,
                   [&](const Head& head, Value firstRow, Value firstColumn) {
                     const Matrices matrices(shape, builder, arguments, head);
                     ThreadFragment sums = code.forQueries(
                         firstRow, block.zeroSums(shape.values),
                         [&](Value firstQuery, ValueRange before) {
                           block.storeWeights(weightsOfKeys(
                               code, block, x, matrices, firstQuery));
                           return block.addRows(llvm::to_vector(before),
                                                matrices.gradient, firstQuery,
                                                firstColumn);
                         });
                     block.store(sums, head.valueMatrix(arguments.results[2]),
                                 firstColumn);
                   });
  }
};

}  // namespace

void attachAttentionKernels(MLIRContext& context) {
  nn::AttentionOp::attachInterface<
      SimpleKernel<nn::AttentionOp, emitAttention>>(context);
  nn::AttentionGradOp::attachInterface<AttentionGradKernel>(context);
}

}  // namespace sbp::cuda
