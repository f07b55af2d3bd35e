// Kernels of nn.reduce: each result is a thread's, or, where results are few, a
// block's. Where neighbours in memory belong to neighbouring results, a block
// has as many of those as share a sector, or a part of their terms.

#include <algorithm>
#include <optional>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/SharedMemory.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/Families.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ReduceKinds.h"
#include "codegen/kernels/Rows.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sbp::cuda {

using namespace mlir;
using vector::CombiningKind;

namespace {

/// With fewer results than threads that a chip can run at once, each one of so
/// many terms is a block's.
constexpr int64_t kFewResults = 1 << 14;
constexpr int64_t kManyTerms = 2 * kThreadsOfBlock;

/// The results that a block has where neighbours belong to neighbouring ones,
/// and the threads of each. Terms are divided into parts until there are so
/// many blocks, or each part has so few terms.
constexpr int64_t kResultsOfBlock = 8;
constexpr int64_t kThreadsOfResult = kThreadsOfBlock / kResultsOfBlock;
constexpr int64_t kManyBlocks = 512, kLeastTerms = 256;

/// Dimensions of the input that are gone through together, as one number.
struct Dims {
  SmallVector<int64_t> extents, strides;

  int64_t size() const {
    int64_t size = 1;
    for (int64_t extent : extents) size *= extent;
    return size;
  }

  /// The offset in the input of what has `number` among them.
  Value offsetOf(KernelBuilder& builder, Value number) const {
    Value offset = builder.index(0);
    for (auto [index, stride] :
         llvm::zip_equal(indicesOf(builder, number, extents), strides))
      offset = builder.add(offset, builder.mul(index, stride));
    return offset;
  }
};

/// A reduction, and who computes what of it.
class ReduceCode {
 public:
  explicit ReduceCode(nn::ReduceOp op)
      : element_(op.getInput().getType().getElementType()),
        type_(VectorType::get(1, computeType(element_))),
        kind_(combiningKind(op.getKind(), element_)) {
    if (op.getKind() == nn::ReduceKind::Mean) divisor_ = op.getDivisor();
    ArrayRef<int64_t> shape = op.getInput().getType().getShape();
    SmallVector<int64_t> strides = rowMajorStrides(shape);
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      Dims& dims = llvm::is_contained(op.getDims(), static_cast<int64_t>(dim))
                       ? reduced_
                       : kept_;
      if (extent == 1) continue;
      dims.extents.push_back(extent);
      dims.strides.push_back(strides[dim]);
    }
    isOfBlocks_ = kept_.size() < kFewResults && reduced_.size() >= kManyTerms;
    isAcross_ =
        isOfBlocks_ && !kept_.strides.empty() && kept_.strides.back() == 1;
    groups_ = llvm::divideCeil(kept_.size(), kResultsOfBlock);
    if (isAcross_ && groups_ > 0)
      parts_ =
          std::clamp<int64_t>(llvm::divideCeil(kManyBlocks, groups_), 1,
                              llvm::divideCeil(reduced_.size(), kLeastTerms));
  }

  int64_t scratchBytes() const {
    if (parts_ == 1) return 0;
    return parts_ * kept_.size() * type_.getElementTypeBitWidth() / 8;
  }

  void build(Launches& launches) const {
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      if (isAcross_)
        emitAcross(builder, arguments);
      else
        emitAlong(builder, arguments);
    });
    if (parts_ == 1) return;
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitParts(builder, arguments);
    });
  }

 private:
  /// A result is a thread's or a block's.
  void emitAlong(KernelBuilder& builder,
                 const KernelArguments& arguments) const {
    const bool canShuffle = type_.getElementTypeBitWidth() == 32;
    const int64_t threads = canShuffle && isOfBlocks_ ? kThreadsOfBlock : 1;
    arguments.threads.forNumbers(
        builder, kept_.size(), threads, [&](Value number) {
          Value thread = builder.index(0);
          if (threads > 1)
            thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
          Value total = combineTerms(builder, arguments, number, thread,
                                     builder.index(reduced_.size()), threads);
          if (threads > 1)
            total = reduceThreads(builder, kind_, total, threads);
          if (threads == 1) return store(builder, arguments, total, number);
          builder.branch(builder.isEqual(thread, builder.index(0)),
                         [&] { store(builder, arguments, total, number); });
        });
  }

  /// A block has a group of results, or a part of their terms.
  void emitAcross(KernelBuilder& builder,
                  const KernelArguments& arguments) const {
    const int64_t terms = llvm::divideCeil(reduced_.size(), parts_);
    arguments.threads.forNumbers(
        builder, parts_ * groups_, kThreadsOfBlock, [&](Value number) {
          Value part = builder.div(number, groups_);
          Value group = builder.rem(number, groups_);
          Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
          Value result = builder.add(builder.mul(group, kResultsOfBlock),
                                     builder.rem(thread, kResultsOfBlock));
          Value begin = builder.mul(part, terms);
          Value end = builder.min(builder.add(begin, terms),
                                  builder.index(reduced_.size()));
          // Threads beyond the last result do what that one's do.
          Value total = combineTerms(
              builder, arguments,
              builder.min(result, builder.index(kept_.size() - 1)),
              builder.add(begin, builder.div(thread, kResultsOfBlock)), end,
              kThreadsOfResult);
          const Place shared =
              addShared(builder, total.getType(), kThreadsOfBlock);
          builder.store(total, builder.at(shared, thread));
          gpu::BarrierOp::create(builder);
          Value isStored = arith::AndIOp::create(
              builder, builder.isLess(thread, builder.index(kResultsOfBlock)),
              builder.isLess(result, builder.index(kept_.size())));
          builder.branch(isStored, [&] {
            Place own = builder.at(shared, thread);
            for (int64_t i = 1; i < kThreadsOfResult; ++i)
              total =
                  combine(builder, kind_, total,
                          builder.load(builder.at(own, i * kResultsOfBlock)));
            if (parts_ == 1) return store(builder, arguments, total, result);
            Place to = builder.at(partsIn(builder, arguments.scratch),
                                  builder.mul(part, kept_.size()));
            storeOne(builder, total, builder.at(to, result));
          });
        });
  }

  void emitParts(KernelBuilder& builder,
                 const KernelArguments& arguments) const {
    arguments.threads.forNumbers(
        builder, kept_.size(), /*threads=*/1, [&](Value number) {
          Place own = builder.at(partsIn(builder, arguments.scratch), number);
          Value total = loadOne(builder, own);
          for (int64_t part = 1; part < parts_; ++part)
            total =
                combine(builder, kind_, total,
                        loadOne(builder, builder.at(own, part * kept_.size())));
          store(builder, arguments, total, number);
        });
  }

  /// The terms from `begin` on of result `number`, each `step`th one.
  Value combineTerms(KernelBuilder& builder, const KernelArguments& arguments,
                     Value number, Value begin, Value end, int64_t step) const {
    Place first =
        builder.at(arguments.operands[0], kept_.offsetOf(builder, number));
    Value total = builder.loop(
        begin, end, step, neutralElement(builder, kind_, type_),
        [&](Value i, ValueRange carried) -> SmallVector<Value> {
          Value term = loadLanes(
              builder, builder.at(first, reduced_.offsetOf(builder, i)),
              element_, 1);
          return {combine(builder, kind_, carried.front(), term)};
        })[0];
    return vector::ExtractOp::create(builder, total, 0);
  }

  void store(KernelBuilder& builder, const KernelArguments& arguments,
             Value total, Value number) const {
    Arithmetic x(builder);
    if (divisor_) total = x.div(total, x.like(total, *divisor_));
    storeOne(builder, total, builder.at(arguments.results[0], number));
  }

  /// What blocks have of results, [part, result].
  Place partsIn(KernelBuilder& builder, Place scratch) const {
    return builder.view(scratch, 0, type_.getElementType(),
                        parts_ * kept_.size());
  }

  Type element_;
  VectorType type_;  // of one element, as it is computed with
  CombiningKind kind_;
  std::optional<double> divisor_;  // of a mean
  Dims kept_, reduced_;
  bool isOfBlocks_ = false;  // few results, of many terms
  bool isAcross_ = false;
  int64_t groups_ = 0;
  int64_t parts_ = 1;  // of the terms of a result
};

class ReduceKernel
    : public CudaKernelOpInterface::ExternalModel<ReduceKernel, nn::ReduceOp> {
 public:
  int64_t getScratchBytes(Operation* op) const {
    return ReduceCode(cast<nn::ReduceOp>(op)).scratchBytes();
  }
  void buildKernel(Operation* op, Launches& launches) const {
    ReduceCode(cast<nn::ReduceOp>(op)).build(launches);
  }
};

}  // namespace

void attachReduceKernels(MLIRContext& context) {
  nn::ReduceOp::attachInterface<ReduceKernel>(context);
}

}  // namespace sbp::cuda
