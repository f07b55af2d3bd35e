// Kernels of nn.attention and of its gradients: a warp for each row of queries,
// or of keys.
//
// A row of queries goes through the keys that it sees 32 at a time, one for
// each thread. What their scores are relative to, their largest so far, changes
// on the way, and the sums with it (Milakov, Gimelshein, "Online normalizer
// calculation for softmax", 2018):
//
//   m' = max(m, scores)     l' = l exp(m - m') + sum p     p = exp(score - m')
//   o' = o exp(m - m') + sum p v                           result = o / l
//
// So memory is linear in the numbers of rows. The gradients compute the scores
// again (Dao et al., "FlashAttention", 2022), with g the gradient:
//
//   dp = g v^T     D = sum p dp     ds = p (dp - D) scale
//   launch 1   by row of queries: log(sum exp), D; ds k
//   launch 2   by row of keys: ds^T q, p^T g

#include <limits>

#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/WarpCode.h"
#include "codegen/cuda/lower/Families.h"
#include "codegen/kernels/Arithmetic.h"
#include "dialects/nn/Nn.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The extents of an attention, over all its heads.
struct Shape {
  int64_t heads = 1, queries = 0, keys = 0, features = 0, values = 0;
  bool isCausal = false;
  double scale = 1;
  Type element;

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
    element = query.getElementType();
  }
};

using Spread = WarpCode::Spread;

/// What the kernels know of one head, whose number is `head`.
class HeadCode {
 public:
  HeadCode(const Shape& shape, WarpCode& warp, const KernelArguments& arguments,
           Value head)
      : shape_(shape),
        warp_(warp),
        query_(ofHead(arguments.operands[0], head,
                      shape.queries * shape.features)),
        key_(ofHead(arguments.operands[1], head, shape.keys * shape.features)),
        value_(ofHead(arguments.operands[2], head, shape.keys * shape.values)) {
  }

  Place ofHead(Place tensor, Value head, int64_t elements) {
    return builder().at(tensor, builder().mul(head, elements));
  }

  Place key() const { return key_; }
  Place value() const { return value_; }
  Place query() const { return query_; }

  Place row(Place matrix, Value number, int64_t columns) {
    return builder().at(matrix, builder().mul(number, columns));
  }

  /// How many keys query `row` sees.
  Value seenBy(Value row) {
    Value all = builder().index(shape_.keys);
    if (!shape_.isCausal) return all;
    Value last = builder().add(row, shape_.keys - shape_.queries + 1);
    return builder().max(builder().index(0), builder().min(last, all));
  }

  /// The score of a query and a key.
  Value score(Value query, Value key) {
    Value product = warp_.dot(row(query_, query, shape_.features),
                              row(key_, key, shape_.features), shape_.features);
    return warp_.x().mul(product, warp_.number(shape_.scale));
  }

  /// exp(score - of), 0 of a score that is -infinity.
  Value weight(Value score, Value of) {
    return warp_.x().exp(warp_.x().sub(score, of));
  }

  KernelBuilder& builder() { return warp_.builder(); }

 private:
  const Shape& shape_;
  WarpCode& warp_;
  Place query_, key_, value_;
};

/// The largest score of a row, and the sum of exp(score - largest).
struct RowSums {
  Value largest, sum;
};

/// Goes through the keys that query `row` sees; `add`, if given, gets the first
/// key of the 32, the factor by which earlier sums shrink, and the weights.
using AddWeights = llvm::function_ref<Spread(Value, Value, Value, Spread)>;
std::pair<RowSums, Spread> sumWeights(HeadCode& head, WarpCode& warp, Value row,
                                      Spread initial, AddWeights add) {
  KernelBuilder& builder = warp.builder();
  Arithmetic& x = warp.x();
  Value seen = head.seenBy(row);
  SmallVector<Value> carried = {warp.number(-kInfinity), warp.number(0)};
  llvm::append_range(carried, initial);
  SmallVector<Value> results = builder.loop(
      builder.index(0), seen, kThreadsOfWarp, carried,
      [&](Value first, ValueRange before) {
        Value key = builder.add(first, warp.lane());
        Value score = builder.branch(
            builder.isLess(key, seen),
            [&]() -> SmallVector<Value> { return {head.score(row, key)}; },
            [&]() -> SmallVector<Value> {
              return {warp.number(-kInfinity)};
            })[0];
        Value largest =
            x.max(before[0], warp.reduce(CombiningKind::MAXIMUMF, score));
        Value shrink = x.exp(x.sub(before[0], largest));
        Value weight = head.weight(score, largest);
        SmallVector<Value> next = {
            largest, x.add(x.mul(before[1], shrink),
                           warp.reduce(CombiningKind::ADD, weight))};
        llvm::append_range(
            next, add ? add(first, shrink, weight,
                            llvm::to_vector_of<Value>(before.drop_front(2)))
                      : Spread());
        return next;
      });
  return {{results[0], results[1]}, Spread(llvm::drop_begin(results, 2))};
}

void emitAttention(nn::AttentionOp op, KernelBuilder& builder,
                   const KernelArguments& arguments) {
  const Shape shape(op);
  WarpCode warp(builder, shape.element);
  Arithmetic& x = warp.x();
  arguments.threads.forNumbers(
      builder, shape.heads * shape.queries, kThreadsOfWarp, [&](Value number) {
        warp.begin();
        Value row = builder.rem(number, shape.queries);
        HeadCode head(shape, warp, arguments,
                      builder.div(number, shape.queries));
        auto [sums, values] = sumWeights(
            head, warp, row, warp.zeros(shape.values),
            [&](Value first, Value shrink, Value weight, Spread sums) {
              for (Value& sum : sums) sum = x.mul(sum, shrink);
              return warp.addRows(sums, weight, head.value(), first, shape.keys,
                                  shape.values);
            });
        // A row that sees nothing has no sum.
        Value isNothing =
            x.compare(nn::Predicate::Equal, sums.sum, warp.number(0));
        for (Value& value : values)
          value = x.select(isNothing, warp.number(0), x.div(value, sums.sum));
        warp.store(values, head.row(arguments.results[0], number, shape.values),
                   shape.values);
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
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitQueries(shape, builder, arguments);
    });
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitKeys(shape, builder, arguments);
    });
  }

 private:
  static int64_t numRows(const Shape& shape) {
    return shape.heads * shape.queries;
  }

  static Place ofRows(const Shape& shape, KernelBuilder& builder, Place scratch,
                      int64_t which) {
    return builder.view(
        scratch, which * numRows(shape) * static_cast<int64_t>(sizeof(float)),
        builder.getF32Type(), numRows(shape));
  }
  static Place logSums(const Shape& shape, KernelBuilder& builder,
                       Place scratch) {
    return ofRows(shape, builder, scratch, 0);
  }
  static Place correlations(const Shape& shape, KernelBuilder& builder,
                            Place scratch) {
    return ofRows(shape, builder, scratch, 1);
  }

  /// The weight of a key, and its gradient, as one thread has them; zeros
  /// unless `isSeen`.
  struct Weighed {
    Value weight, gradient;
  };
  static Weighed weigh(const Shape& shape, HeadCode& head, WarpCode& warp,
                       Place gradients, Value query, Value key, Value isSeen,
                       Value logSum) {
    SmallVector<Value> both = warp.builder().branch(
        isSeen,
        [&]() -> SmallVector<Value> {
          return {head.weight(head.score(query, key), logSum),
                  warp.dot(head.row(gradients, query, shape.values),
                           head.row(head.value(), key, shape.values),
                           shape.values)};
        },
        [&]() -> SmallVector<Value> {
          return {warp.number(0), warp.number(0)};
        });
    return {both[0], both[1]};
  }

  static void emitQueries(const Shape& shape, KernelBuilder& builder,
                          const KernelArguments& arguments) {
    WarpCode warp(builder, shape.element);
    Arithmetic& x = warp.x();
    arguments.threads.forNumbers(
        builder, numRows(shape), kThreadsOfWarp, [&](Value number) {
          warp.begin();
          Value row = builder.rem(number, shape.queries);
          Value headNumber = builder.div(number, shape.queries);
          HeadCode head(shape, warp, arguments, headNumber);
          Place gradients = head.ofHead(arguments.operands[3], headNumber,
                                        shape.queries * shape.values);
          RowSums sums = sumWeights(head, warp, row, {}, nullptr).first;
          Value logSum = x.add(sums.largest, x.log(sums.sum));
          Value seen = head.seenBy(row);
          const auto weighAt = [&](Value first) {
            Value key = builder.add(first, warp.lane());
            return weigh(shape, head, warp, gradients, row, key,
                         builder.isLess(key, seen), logSum);
          };
          Value correlation = builder.loop(
              builder.index(0), seen, kThreadsOfWarp, warp.number(0),
              [&](Value first, ValueRange carried) -> SmallVector<Value> {
                Weighed weighed = weighAt(first);
                return {x.add(
                    carried[0],
                    warp.reduce(CombiningKind::ADD,
                                x.mul(weighed.weight, weighed.gradient)))};
              })[0];
          Spread sum = builder.loop(
              builder.index(0), seen, kThreadsOfWarp,
              warp.zeros(shape.features), [&](Value first, ValueRange carried) {
                Weighed weighed = weighAt(first);
                return warp.addRows(
                    llvm::to_vector_of<Value>(carried),
                    scoreGradient(shape, warp, weighed, correlation),
                    head.key(), first, shape.keys, shape.features);
              });
          warp.store(sum,
                     head.row(arguments.results[0], number, shape.features),
                     shape.features);
          builder.branch(builder.isEqual(warp.lane(), builder.index(0)), [&] {
            storeOne(
                builder, logSum,
                builder.at(logSums(shape, builder, arguments.scratch), number));
            storeOne(builder, correlation,
                     builder.at(correlations(shape, builder, arguments.scratch),
                                number));
          });
        });
  }

  static Value scoreGradient(const Shape& shape, WarpCode& warp,
                             const Weighed& weighed, Value correlation) {
    Arithmetic& x = warp.x();
    return x.mul(x.mul(weighed.weight, x.sub(weighed.gradient, correlation)),
                 warp.number(shape.scale));
  }

  static void emitKeys(const Shape& shape, KernelBuilder& builder,
                       const KernelArguments& arguments) {
    WarpCode warp(builder, shape.element);
    arguments.threads.forNumbers(
        builder, shape.heads * shape.keys, kThreadsOfWarp, [&](Value number) {
          warp.begin();
          Value key = builder.rem(number, shape.keys);
          Value headNumber = builder.div(number, shape.keys);
          HeadCode head(shape, warp, arguments, headNumber);
          Place gradients = head.ofHead(arguments.operands[3], headNumber,
                                        shape.queries * shape.values);
          Value firstRow = builder.mul(headNumber, shape.queries);
          SmallVector<Value> initial = warp.zeros(shape.features);
          llvm::append_range(initial, warp.zeros(shape.values));
          SmallVector<Value> sums = builder.loop(
              builder.index(0), builder.index(shape.queries), kThreadsOfWarp,
              initial, [&](Value first, ValueRange carried) {
                return addQueries(shape, head, warp, arguments, gradients, key,
                                  first, firstRow,
                                  llvm::to_vector_of<Value>(carried));
              });
          const size_t features = WarpCode::sizeOf(shape.features);
          warp.store(Spread(ArrayRef(sums).take_front(features)),
                     head.row(arguments.results[1], number, shape.features),
                     shape.features);
          warp.store(Spread(ArrayRef(sums).drop_front(features)),
                     head.row(arguments.results[2], number, shape.values),
                     shape.values);
        });
  }

  /// Adds what 32 queries from `first` on give to the gradients of a key, then
  /// of its value.
  static SmallVector<Value> addQueries(const Shape& shape, HeadCode& head,
                                       WarpCode& warp,
                                       const KernelArguments& arguments,
                                       Place gradients, Value key, Value first,
                                       Value firstRow,
                                       SmallVector<Value> sums) {
    KernelBuilder& builder = warp.builder();
    Value query = builder.add(first, warp.lane());
    Value exists = builder.isLess(query, builder.index(shape.queries));
    Value isSeen = arith::AndIOp::create(
        builder, exists, builder.isLess(key, head.seenBy(query)));
    const auto ofQuery = [&](Place rows) {
      return builder.branch(
          exists,
          [&]() -> SmallVector<Value> {
            return {loadOne(builder,
                            builder.at(rows, builder.add(firstRow, query)))};
          },
          [&]() -> SmallVector<Value> { return {warp.number(0)}; })[0];
    };
    Value logSum = ofQuery(logSums(shape, builder, arguments.scratch));
    Value correlation =
        ofQuery(correlations(shape, builder, arguments.scratch));
    Weighed weighed =
        weigh(shape, head, warp, gradients, query, key, isSeen, logSum);
    const size_t features = WarpCode::sizeOf(shape.features);
    Spread ofKey =
        warp.addRows(Spread(ArrayRef(sums).take_front(features)),
                     scoreGradient(shape, warp, weighed, correlation),
                     head.query(), first, shape.queries, shape.features);
    Spread ofValue = warp.addRows(Spread(ArrayRef(sums).drop_front(features)),
                                  weighed.weight, gradients, first,
                                  shape.queries, shape.values);
    llvm::append_range(ofKey, ofValue);
    return ofKey;
  }
};

}  // namespace

void attachAttentionKernels(MLIRContext& context) {
  nn::AttentionOp::attachInterface<
      SimpleKernel<nn::AttentionOp, emitAttention>>(context);
  nn::AttentionGradOp::attachInterface<AttentionGradKernel>(context);
}

}  // namespace sbp::cuda
