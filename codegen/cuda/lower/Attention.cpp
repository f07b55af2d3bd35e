// Kernels of nn.attention and of its gradients, by blocks of rows of one head
// (AttentionBlock.h).
//
// Queries go through the keys that they see, tile by tile. What scores are
// relative to, the largest of a row so far, changes on the way, and sums with
// it (Milakov, Gimelshein, "Online normalizer calculation for softmax", 2018):
//
//   m' = max(m, scores)     l' = l exp(m - m') + sum p     p = exp(score - m')
//   o' = o exp(m - m') + sum p v                           result = o / l
//
// So memory is linear in the numbers of rows. The gradients compute the scores
// again (Dao et al., "FlashAttention", 2022), with g the gradient:
//
//   dp = g v^T     D = sum p dp     ds = p (dp - D) scale
//   launch 1   by rows of queries: log(sum exp), D
//   launch 2   by rows of queries: ds k
//   launch 3   by rows of keys: ds^T q
//   launch 4   by rows of keys: p^T g

#include <limits>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttentionBlock.h"
#include "codegen/cuda/lower/Families.h"
#include "codegen/kernels/Arithmetic.h"
#include "dialects/nn/Nn.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// What the largest score is before there is one. It is finite, so that a row
/// that sees nothing has no NaNs.
constexpr double kLowest = std::numeric_limits<float>::lowest();

using Numbers = AttentionBlock::Numbers;

/// The extents of an attention, over all its heads.
struct Shape {
  int64_t heads = 1, queries = 0, keys = 0, features = 0, values = 0;
  bool isCausal = false;
  double scale = 1;
  Type compute;

  template <typename Op>
  explicit Shape(Op op)
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

  /// The last key that query t sees is t + lag(), if it is causal.
  int64_t lag() const { return keys - queries; }
};

/// The matrices of one head in tensors of all heads.
class Head {
 public:
  Head(const Shape& shape, KernelBuilder& builder, Value number)
      : shape_(shape), builder_(builder), number_(number) {}

  DenseMatrix likeQuery(Place tensor) const {
    return matrix(tensor, shape_.queries, shape_.features);
  }
  DenseMatrix likeKey(Place tensor) const {
    return matrix(tensor, shape_.keys, shape_.features);
  }
  DenseMatrix likeValue(Place tensor) const {
    return matrix(tensor, shape_.keys, shape_.values);
  }
  DenseMatrix likeResult(Place tensor) const {
    return matrix(tensor, shape_.queries, shape_.values);
  }
  /// Of a tensor with one element for each query.
  DenseMatrix ofQueries(Place tensor) const {
    return matrix(tensor, 1, shape_.queries);
  }

 private:
  DenseMatrix matrix(Place tensor, int64_t rows, int64_t columns) const {
    return {builder_.at(tensor, builder_.mul(number_, rows * columns)), rows,
            columns};
  }

  const Shape& shape_;
  KernelBuilder& builder_;
  Value number_;
};

/// The code of a launch whose blocks have rows of queries or of keys.
class AttentionCode {
 public:
  AttentionCode(const Shape& shape, KernelBuilder& builder,
                AttentionBlock& block)
      : shape_(shape), builder_(builder), x_(builder), block_(block) {}

  /// Calls `body` for each head, block of rows and part of the columns of its
  /// sums: with the head, the first row and the first column. With `isReversed`
  /// blocks of the last rows begin first, as those should that have most to do.
  void forBlocks(const KernelArguments& arguments, int64_t rows,
                 int64_t columns, bool isReversed,
                 llvm::function_ref<void(const Head&, Value, Value)> body) {
    const int64_t blocks = llvm::divideCeil(rows, AttentionBlock::tileOf(rows));
    const int64_t parts =
        llvm::divideCeil(columns, AttentionBlock::tileOf(columns));
    arguments.threads.forNumbers(
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

  /// A loop over tiles of the keys that some query of the block that begins at
  /// `firstRow` sees; `body` gets the first key of each.
  Numbers forKeys(Value firstRow, const Numbers& initial,
                  KernelBuilder::CarryingBody body) {
    Value end = builder_.index(shape_.keys);
    if (shape_.isCausal)
      end = builder_.min(
          end, builder_.add(firstRow, AttentionBlock::tileOf(shape_.queries) +
                                          shape_.lag()));
    return builder_.loop(builder_.index(0), end,
                         AttentionBlock::tileOfOthers(shape_.keys), initial,
                         body);
  }

  /// A loop over tiles of the queries that see some key of the block that
  /// begins at `firstRow`, likewise.
  Numbers forQueries(Value firstRow, const Numbers& initial,
                     KernelBuilder::CarryingBody body) {
    const int64_t tile = AttentionBlock::tileOfOthers(shape_.queries);
    Value begin = builder_.index(0);
    if (shape_.isCausal) {
      begin = builder_.max(begin, builder_.add(firstRow, -shape_.lag()));
      begin = builder_.sub(begin, builder_.rem(begin, tile));
    }
    return builder_.loop(begin, builder_.index(shape_.queries), tile, initial,
                         body);
  }

  /// `weights` of queries in rows, with `otherwise` for keys that they do not
  /// see.
  Numbers ofSeenKeys(Numbers weights, Value firstKey, double otherwise) {
    for (auto [i, weight] : llvm::enumerate(weights)) {
      Value key = builder_.add(block_.other(firstKey), static_cast<int64_t>(i));
      if (shape_.isCausal)
        weight = x_.select(block_.compareRows(nn::Predicate::GreaterEqual,
                                              builder_.add(key, -shape_.lag())),
                           weight, block_.ofRows(otherwise));
      if (shape_.keys % AttentionBlock::tileOfOthers(shape_.keys) != 0)
        weight = x_.select(builder_.isLess(key, builder_.index(shape_.keys)),
                           weight, block_.ofRows(otherwise));
    }
    return weights;
  }

  /// `weights` of keys in rows, with zero for queries that do not see them.
  Numbers ofSeeingQueries(Numbers weights, Value firstQuery) {
    if (!shape_.isCausal) return weights;
    for (auto [i, weight] : llvm::enumerate(weights)) {
      Value query =
          builder_.add(block_.other(firstQuery), static_cast<int64_t>(i));
      weight = x_.select(block_.compareRows(nn::Predicate::LessEqual,
                                            builder_.add(query, shape_.lag())),
                         weight, block_.ofRows(0));
    }
    return weights;
  }

  /// `ofRows`, with zero for queries that see no key.
  Value ofSeeingRows(Value ofRows) {
    if (shape_.keys > 0 && (!shape_.isCausal || shape_.lag() >= 0))
      return ofRows;
    Value isBlind =
        block_.compareRows(nn::Predicate::Less, builder_.index(-shape_.lag()));
    return x_.select(isBlind, block_.ofRows(0), ofRows);
  }

  /// The scores of the block's rows of `rows` and the others from `firstOther`
  /// on.
  Numbers scores(const DenseMatrix& rows, const DenseMatrix& others,
                 Value firstOther) {
    Numbers scores = block_.products(rows, others, firstOther);
    for (Value& score : scores)
      score = x_.mul(score, block_.ofRows(shape_.scale));
    return scores;
  }

  /// What queries have of the keys so far: their largest score, and the sum of
  /// exp(score - largest), of which each thread has a part.
  struct Softmax {
    Value largest, sum;
  };
  Softmax begin() { return {block_.ofRows(kLowest), block_.ofRows(0)}; }

  /// Goes on to `scores`, which become exp(score - largest); returns the factor
  /// by which earlier sums shrink.
  Value goOn(Softmax& softmax, Numbers& scores) {
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
  const Shape& shape_;
  KernelBuilder& builder_;
  Arithmetic x_;
  AttentionBlock& block_;
};

void emitAttention(nn::AttentionOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  const Shape shape(op);
  Arithmetic x(builder);
  AttentionBlock block(builder, shape.compute, shape.queries, shape.keys,
                       shape.values);
  AttentionCode code(shape, builder, block);
  code.forBlocks(
      arguments, shape.queries, shape.values, shape.isCausal,
      [&](const Head& head, Value firstRow, Value firstColumn) {
        const AttentionCode::Softmax begin = code.begin();
        Numbers initial = {begin.largest, begin.sum};
        llvm::append_range(initial, block.zeroSums(shape.values));
        Numbers carried = code.forKeys(
            firstRow, initial, [&](Value firstKey, ValueRange before) {
              AttentionCode::Softmax softmax = {before[0], before[1]};
              Numbers weights = code.ofSeenKeys(
                  code.scores(head.likeQuery(arguments.operands[0]),
                              head.likeKey(arguments.operands[1]), firstKey),
                  firstKey, -kInfinity);
              Value shrink = code.goOn(softmax, weights);
              block.keep(weights);
              Numbers next = {softmax.largest, softmax.sum};
              llvm::append_range(
                  next, block.addRows(
                            block.scale(llvm::to_vector(before.drop_front(2)),
                                        shrink),
                            head.likeValue(arguments.operands[2]), firstKey,
                            firstColumn));
              return next;
            });
        Value sum = block.reduce(CombiningKind::ADD, carried[1]);
        Value factor = code.ofSeeingRows(x.div(block.ofRows(1), sum));
        block.store(block.scale(Numbers(llvm::drop_begin(carried, 2)), factor),
                    head.likeResult(arguments.results[0]), firstColumn);
      });
}

class AttentionGradKernel
    : public CudaKernelOpInterface::ExternalModel<AttentionGradKernel,
                                                  nn::AttentionGradOp> {
 public:
  /// log(sum exp) and D of each row of queries, in f32.
  int64_t getScratchBytes(Operation* op) const {
    return 2 * numRows(Shape(cast<nn::AttentionGradOp>(op))) *
           static_cast<int64_t>(sizeof(float));
  }

  void buildKernel(Operation* op, Launches& launches) const {
    const Shape shape(cast<nn::AttentionGradOp>(op));
    for (auto* emit : {&emitStatistics, &emitQueries, &emitKeys, &emitValues})
      launches.add(
          [&](KernelBuilder& builder, const KernelArguments& arguments) {
            emit(shape, builder, arguments);
          });
  }

 private:
  static int64_t numRows(const Shape& shape) {
    return shape.heads * shape.queries;
  }

  /// What the launches have to work with, of one head.
  struct Matrices {
    Matrices(const Shape& shape, KernelBuilder& builder,
             const KernelArguments& arguments, const Head& head)
        : query(head.likeQuery(arguments.operands[0])),
          key(head.likeKey(arguments.operands[1])),
          value(head.likeValue(arguments.operands[2])),
          gradient(head.likeResult(arguments.operands[3])),
          logSums(statistic(shape, builder, arguments, head, 0)),
          correlations(statistic(shape, builder, arguments, head, 1)) {}

    static DenseMatrix statistic(const Shape& shape, KernelBuilder& builder,
                                 const KernelArguments& arguments,
                                 const Head& head, int64_t which) {
      return head.ofQueries(builder.view(
          arguments.scratch,
          which * numRows(shape) * static_cast<int64_t>(sizeof(float)),
          builder.getF32Type(), numRows(shape)));
    }

    DenseMatrix query, key, value, gradient, logSums, correlations;
  };

  static void emitStatistics(const Shape& shape, KernelBuilder& builder,
                             const KernelArguments& arguments) {
    Arithmetic x(builder);
    AttentionBlock block(builder, shape.compute, shape.queries, shape.keys,
                         /*columns=*/0);
    AttentionCode code(shape, builder, block);
    code.forBlocks(
        arguments, shape.queries, /*columns=*/1, shape.isCausal,
        [&](const Head& head, Value firstRow, Value) {
          const Matrices of(shape, builder, arguments, head);
          const AttentionCode::Softmax begin = code.begin();
          Numbers carried = code.forKeys(
              firstRow, {begin.largest, begin.sum, block.ofRows(0)},
              [&](Value firstKey, ValueRange before) -> Numbers {
                AttentionCode::Softmax softmax = {before[0], before[1]};
                Numbers weights =
                    code.ofSeenKeys(code.scores(of.query, of.key, firstKey),
                                    firstKey, -kInfinity);
                Value shrink = code.goOn(softmax, weights);
                Value sum = x.mul(before[2], shrink);
                Numbers gradients =
                    block.products(of.gradient, of.value, firstKey);
                for (auto [weight, gradient] :
                     llvm::zip_equal(weights, gradients))
                  sum = builder.multiplyAdd(weight, gradient, sum);
                return {softmax.largest, softmax.sum, sum};
              });
          Value sum = block.reduce(CombiningKind::ADD, carried[1]);
          Value logSum = x.add(carried[0], x.log(sum));
          Value correlation =
              x.div(block.reduce(CombiningKind::ADD, carried[2]), sum);
          builder.branch(block.isFirstOfRow(), [&] {
            block.store(code.ofSeeingRows(logSum), of.logSums);
            block.store(code.ofSeeingRows(correlation), of.correlations);
          });
        });
  }

  /// The weight of a score, of which log(sum exp) is `logSum`.
  static Value weight(Arithmetic& x, Value score, Value logSum) {
    return x.exp(x.sub(score, logSum));
  }

  /// ds
  static Value scoreGradient(const Shape& shape, Arithmetic& x, Value weight,
                             Value gradient, Value correlation) {
    return x.mul(x.mul(weight, x.sub(gradient, correlation)),
                 x.like(weight, shape.scale));
  }

  static void emitQueries(const Shape& shape, KernelBuilder& builder,
                          const KernelArguments& arguments) {
    Arithmetic x(builder);
    AttentionBlock block(builder, shape.compute, shape.queries, shape.keys,
                         shape.features);
    AttentionCode code(shape, builder, block);
    code.forBlocks(
        arguments, shape.queries, shape.features, shape.isCausal,
        [&](const Head& head, Value firstRow, Value firstColumn) {
          const Matrices of(shape, builder, arguments, head);
          Value logSum = block.load(of.logSums);
          Value correlation = block.load(of.correlations);
          Numbers sums = code.forKeys(
              firstRow, block.zeroSums(shape.features),
              [&](Value firstKey, ValueRange before) {
                Numbers weights = code.scores(of.query, of.key, firstKey);
                for (Value& each : weights) each = weight(x, each, logSum);
                block.keep(code.ofSeenKeys(weights, firstKey, 0));
                Numbers gradients =
                    block.products(of.gradient, of.value, firstKey);
                weights = block.kept();
                for (auto [each, gradient] :
                     llvm::zip_equal(weights, gradients))
                  each = scoreGradient(shape, x, each, gradient, correlation);
                block.keep(weights);
                return block.addRows(llvm::to_vector(before), of.key, firstKey,
                                     firstColumn);
              });
          block.store(sums, head.likeQuery(arguments.results[0]), firstColumn);
        });
  }

  /// The weights of the block's keys for queries from `firstQuery` on.
  static Numbers weightsOfKeys(AttentionCode& code, AttentionBlock& block,
                               Arithmetic& x, const Matrices& of,
                               Value firstQuery) {
    Numbers weights = code.scores(of.key, of.query, firstQuery);
    for (auto [each, logSum] :
         llvm::zip_equal(weights, block.ofOthers(of.logSums, firstQuery)))
      each = weight(x, each, logSum);
    return code.ofSeeingQueries(weights, firstQuery);
  }

  static void emitKeys(const Shape& shape, KernelBuilder& builder,
                       const KernelArguments& arguments) {
    Arithmetic x(builder);
    AttentionBlock block(builder, shape.compute, shape.keys, shape.queries,
                         shape.features);
    AttentionCode code(shape, builder, block);
    code.forBlocks(
        arguments, shape.keys, shape.features, /*isReversed=*/false,
        [&](const Head& head, Value firstRow, Value firstColumn) {
          const Matrices of(shape, builder, arguments, head);
          Numbers sums = code.forQueries(
              firstRow, block.zeroSums(shape.features),
              [&](Value firstQuery, ValueRange before) {
                block.keep(weightsOfKeys(code, block, x, of, firstQuery));
                Numbers gradients =
                    block.products(of.value, of.gradient, firstQuery);
                Numbers weights = block.kept();
                for (auto [each, gradient, correlation] : llvm::zip_equal(
                         weights, gradients,
                         block.ofOthers(of.correlations, firstQuery)))
                  each = scoreGradient(shape, x, each, gradient, correlation);
                block.keep(weights);
                return block.addRows(llvm::to_vector(before), of.query,
                                     firstQuery, firstColumn);
              });
          block.store(sums, head.likeKey(arguments.results[1]), firstColumn);
        });
  }

  static void emitValues(const Shape& shape, KernelBuilder& builder,
                         const KernelArguments& arguments) {
    Arithmetic x(builder);
    AttentionBlock block(builder, shape.compute, shape.keys, shape.queries,
                         shape.values);
    AttentionCode code(shape, builder, block);
    code.forBlocks(
        arguments, shape.keys, shape.values, /*isReversed=*/false,
        [&](const Head& head, Value firstRow, Value firstColumn) {
          const Matrices of(shape, builder, arguments, head);
          Numbers sums = code.forQueries(
              firstRow, block.zeroSums(shape.values),
              [&](Value firstQuery, ValueRange before) {
                block.keep(weightsOfKeys(code, block, x, of, firstQuery));
                return block.addRows(llvm::to_vector(before), of.gradient,
                                     firstQuery, firstColumn);
              });
          block.store(sums, head.likeValue(arguments.results[2]), firstColumn);
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
