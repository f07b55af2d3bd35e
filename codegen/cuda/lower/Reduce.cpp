// The kernel of nn.reduce. There are three ways to divide it among threads:
//
//   many results, or few terms   a thread computes a result
//   few results of many terms:
//     adjacent elements are      a block computes a result
//     terms of one result
//     adjacent elements are      a block computes a group of adjacent results;
//     terms of adjacent results  or, in a first launch, it computes a part of
//                                their terms, and a second launch combines the
//                                parts

#include <algorithm>
#include <optional>

#include "codegen/cuda/Indices.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/ReduceThreads.h"
#include "codegen/cuda/SharedMemory.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
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

/// A block, not a thread, computes a result if there are fewer than kFewResults
/// results, so that threads would be idle, and at least kManyTerms terms each.
constexpr int64_t kFewResults = 1 << 14;
constexpr int64_t kManyTerms = 2 * kThreadsOfBlock;

/// Number of adjacent results in a group, which is what a sector of f32 has,
/// and number of threads per result of a group. Terms are divided into parts
/// until there are kManyBlocks blocks or a part has kLeastTerms terms.
constexpr int64_t kResultsOfBlock = 8;
constexpr int64_t kThreadsOfResult = kThreadsOfBlock / kResultsOfBlock;
constexpr int64_t kManyBlocks = 512, kLeastTerms = 256;

/// Some dimensions of the input, seen as one: a linear index runs over them.
struct MergedDims {
  SmallVector<int64_t> extents, strides;

  int64_t size() const {
    int64_t size = 1;
    for (int64_t extent : extents) size *= extent;
    return size;
  }

  /// Returns the offset in the input of linear index `number`.
  Value offsetOf(KernelBuilder& builder, Value number) const {
    Value offset = builder.index(0);
    for (auto [index, stride] :
         llvm::zip_equal(indicesOf(builder, number, extents), strides))
      offset = builder.add(offset, builder.mul(index, stride));
    return offset;
  }
};

/// The code of a reduction, and its division among threads and blocks.
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
      MergedDims& dims =
          llvm::is_contained(op.getDims(), static_cast<int64_t>(dim)) ? reduced_
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
  /// Emits the launch in which a thread or a block computes a result.
  void emitAlong(KernelBuilder& builder,
                 const KernelArguments& arguments) const {
    // reduceThreads takes values of 32 bits only.
    const bool canShuffle = type_.getElementTypeBitWidth() == 32;
    const int64_t threads = canShuffle && isOfBlocks_ ? kThreadsOfBlock : 1;
    arguments.threads.forEachItem(
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

  /// Emits the launch in which a block computes a group of adjacent results, or
  /// a part of their terms.
  void emitAcross(KernelBuilder& builder,
                  const KernelArguments& arguments) const {
    const int64_t terms = llvm::divideCeil(reduced_.size(), parts_);
    arguments.threads.forEachItem(
        builder, parts_ * groups_, kThreadsOfBlock, [&](Value number) {
          Value part = builder.div(number, groups_);
          Value group = builder.rem(number, groups_);
          Value thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
          Value result = builder.add(builder.mul(group, kResultsOfBlock),
                                     builder.rem(thread, kResultsOfBlock));
          Value begin = builder.mul(part, terms);
          Value end = builder.min(builder.add(begin, terms),
                                  builder.index(reduced_.size()));
          // Threads beyond the last result compute it again, and do not store.
          Value total = combineTerms(
              builder, arguments,
              builder.min(result, builder.index(kept_.size() - 1)),
              builder.add(begin, builder.div(thread, kResultsOfBlock)), end,
              kThreadsOfResult);
          const ElementRef shared =
              addShared(builder, total.getType(), kThreadsOfBlock);
          builder.store(total, builder.at(shared, thread));
          gpu::BarrierOp::create(builder);
          Value isStored = arith::AndIOp::create(
              builder, builder.isLess(thread, builder.index(kResultsOfBlock)),
              builder.isLess(result, builder.index(kept_.size())));
          builder.branch(isStored, [&] {
            ElementRef own = builder.at(shared, thread);
            for (int64_t i = 1; i < kThreadsOfResult; ++i)
              total =
                  combine(builder, kind_, total,
                          builder.load(builder.at(own, i * kResultsOfBlock)));
            if (parts_ == 1) return store(builder, arguments, total, result);
            ElementRef to = builder.at(partsIn(builder, arguments.scratch),
                                       builder.mul(part, kept_.size()));
            storeOne(builder, total, builder.at(to, result));
          });
        });
  }

  /// Emits the launch that combines the parts: a thread per result.
  void emitParts(KernelBuilder& builder,
                 const KernelArguments& arguments) const {
    arguments.threads.forEachItem(
        builder, kept_.size(), /*threads=*/1, [&](Value number) {
          ElementRef own =
              builder.at(partsIn(builder, arguments.scratch), number);
          Value total = loadOne(builder, own);
          for (int64_t part = 1; part < parts_; ++part)
            total =
                combine(builder, kind_, total,
                        loadOne(builder, builder.at(own, part * kept_.size())));
          store(builder, arguments, total, number);
        });
  }

  /// Combines the terms begin, begin + step, ... below `end` of result
  /// `number`.
  Value combineTerms(KernelBuilder& builder, const KernelArguments& arguments,
                     Value number, Value begin, Value end, int64_t step) const {
    ElementRef first =
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

  /// Returns the partial results in scratch memory, [part, result].
  ElementRef partsIn(KernelBuilder& builder, ElementRef scratch) const {
    return builder.view(scratch, 0, type_.getElementType(),
                        parts_ * kept_.size());
  }

  Type element_;
  VectorType type_;  // one element of the type of computation
  CombiningKind kind_;
  std::optional<double> divisor_;  // nullopt unless it is a mean
  MergedDims kept_, reduced_;
  bool isOfBlocks_ = false;  // whether there are few results of many terms
  bool isAcross_ = false;    // and adjacent elements belong to adjacent results
  int64_t groups_ = 0;       // number of groups of adjacent results
  int64_t parts_ = 1;        // number of parts of the terms of a result
};

class ReduceKernel
    : public CudaKernelOpInterface::ExternalModel<ReduceKernel, nn::ReduceOp> {
 public:
  int64_t getGpuScratchBytes(Operation* op) const {
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
