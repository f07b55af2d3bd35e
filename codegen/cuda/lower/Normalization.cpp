// Kernels of the gradients of layer_norm and rms_norm.
//
// The gradient of the input is computed row by row. The gradients of gamma and
// beta are sums over all rows, which are divided into parts:
//
//   launch 1   per row: the gradient of the input; mean and scale of the row
//   launch 2   per part of the rows and column: the sums over the part's rows
//   launch 3   per column: the sums of the parts

#include <algorithm>

#include "codegen/cuda/AddPartialSums.h"
#include "codegen/cuda/KernelFunction.h"
#include "codegen/cuda/KernelOp.h"
#include "codegen/cuda/VectorAccess.h"
#include "codegen/cuda/lower/AttachKernels.h"
#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/families/NormRows.h"
#include "dialects/nn/Nn.h"
#include "llvm/Support/MathExtras.h"

namespace sbp::cuda {

using namespace mlir;

namespace {

/// Number of rows above which they are divided into several parts, and the
/// greatest number of parts.
constexpr int64_t kRowsOfPart = 16, kMostParts = 128;

/// The layout of scratch memory, in f32: means and scales of all rows, then the
/// partial sums of gamma and of beta, each [part, column].
struct ScratchLayout {
  int64_t rows = 0, columns = 0, parts = 0;

  explicit ScratchLayout(RankedTensorType input) {
    columns = input.getShape().back();
    rows = columns == 0 ? 0 : input.getNumElements() / columns;
    parts =
        std::clamp<int64_t>(llvm::divideCeil(rows, kRowsOfPart), 1, kMostParts);
  }

  int64_t rowsOfPart() const { return llvm::divideCeil(rows, parts); }
  /// Number of partial sums of gamma, and of beta.
  int64_t sums() const { return parts * columns; }
  int64_t bytes() const {
    return (2 * rows + 2 * sums()) * static_cast<int64_t>(sizeof(float));
  }

  ElementRef view(KernelBuilder& builder, ElementRef scratch, int64_t first,
                  int64_t count) const {
    return builder.view(scratch, first * static_cast<int64_t>(sizeof(float)),
                        builder.getF32Type(), count);
  }
  ElementRef means(KernelBuilder& builder, ElementRef scratch) const {
    return view(builder, scratch, 0, rows);
  }
  ElementRef scales(KernelBuilder& builder, ElementRef scratch) const {
    return view(builder, scratch, rows, rows);
  }
  ElementRef gammaSums(KernelBuilder& builder, ElementRef scratch) const {
    return view(builder, scratch, 2 * rows, sums());
  }
  ElementRef betaSums(KernelBuilder& builder, ElementRef scratch) const {
    return view(builder, scratch, 2 * rows + sums(), sums());
  }
};

/// The kernel of the gradient of layer_norm, or of rms_norm, which has no mean.
template <typename Op, bool kHasMean>
class NormGradKernel
    : public CudaKernelOpInterface::ExternalModel<NormGradKernel<Op, kHasMean>,
                                                  Op> {
 public:
  int64_t getGpuScratchBytes(Operation* op) const {
    return layoutOf(cast<Op>(op)).bytes();
  }

  void buildKernel(Operation* op, Launches& launches) const {
    auto grad = cast<Op>(op);
    const ScratchLayout layout = layoutOf(grad);
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitRows(grad, layout, builder, arguments);
    });
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitParts(layout, builder, arguments);
    });
    launches.add([&](KernelBuilder& builder, const KernelArguments& arguments) {
      emitSums(layout, builder, arguments);
    });
  }

 private:
  static ScratchLayout layoutOf(Op op) {
    return ScratchLayout(cast<RankedTensorType>(op.getInput().getType()));
  }

  /// Emits launch 1.
  static void emitRows(Op op, const ScratchLayout& layout,
                       KernelBuilder& builder,
                       const KernelArguments& arguments) {
    // Without this limit ptxas takes even fewer registers for sm_80, and
    // spills.
    limitRegisters(builder, 1024);
    NormRows norm(builder, arguments.loops, op.getInput(), kHasMean,
                  op.getEpsilon().convertToDouble());
    const ElementRef input = arguments.operands[0],
                     gamma = arguments.operands[1],
                     gradient = arguments.operands[2];
    norm.forEach([&](Rows& rows) {
      Normalizer normalizer = norm.normalizer(rows, input);
      NormRows::Means means =
          norm.meansOf(rows, normalizer, input, gamma, gradient);
      rows.forEach([&](Rows::At at) {
        rows.store(norm.inputGradient(rows, at, normalizer, means, input, gamma,
                                      gradient),
                   arguments.results[0], at);
      });
      if (kHasMean)
        rows.storeOnePerRow(normalizer.mean,
                            layout.means(builder, arguments.scratch));
      rows.storeOnePerRow(normalizer.scale,
                          layout.scales(builder, arguments.scratch));
    });
  }

  /// Emits launch 2: a thread per partial sum.
  static void emitParts(const ScratchLayout& layout, KernelBuilder& builder,
                        const KernelArguments& arguments) {
    Arithmetic x(builder);
    const ElementRef input = arguments.operands[0],
                     gradient = arguments.operands[2];
    arguments.threads.forEachItem(
        builder, layout.sums(), /*threads=*/1, [&](Value number) {
          Value column = builder.rem(number, layout.columns);
          Value first = builder.mul(builder.div(number, layout.columns),
                                    layout.rowsOfPart());
          Value last = builder.min(builder.add(first, layout.rowsOfPart()),
                                   builder.index(layout.rows));
          Value zero = builder.number(builder.getF32Type(), 0);
          SmallVector<Value> sums = builder.loop(
              first, last, 1, {zero, zero},
              [&](Value row, ValueRange carried) -> SmallVector<Value> {
                Value offset =
                    builder.add(builder.mul(row, layout.columns), column);
                Normalizer normalizer;
                if (kHasMean)
                  normalizer.mean = loadOne(
                      builder,
                      builder.at(layout.means(builder, arguments.scratch),
                                 row));
                normalizer.scale = loadOne(
                    builder,
                    builder.at(layout.scales(builder, arguments.scratch), row));
                Value slope = loadOne(builder, builder.at(gradient, offset));
                Value xHat = normalizer.apply(
                    x, loadOne(builder, builder.at(input, offset)));
                return {x.add(carried[0], x.mul(slope, xHat)),
                        x.add(carried[1], slope)};
              });
          storeOne(
              builder, sums[0],
              builder.at(layout.gammaSums(builder, arguments.scratch), number));
          if (kHasMean)
            storeOne(builder, sums[1],
                     builder.at(layout.betaSums(builder, arguments.scratch),
                                number));
        });
  }

  /// Emits launch 3: a thread per column.
  static void emitSums(const ScratchLayout& layout, KernelBuilder& builder,
                       const KernelArguments& arguments) {
    if (layout.columns == 0) return;
    const auto emit = [&](ElementRef sums, ElementRef result) {
      addPartialSums(builder, arguments.threads, sums, layout.parts,
                     layout.columns, [&](Value column, Value sum) {
                       storeOne(builder, sum, builder.at(result, column));
                     });
    };
    emit(layout.gammaSums(builder, arguments.scratch), arguments.results[1]);
    if (kHasMean)
      emit(layout.betaSums(builder, arguments.scratch), arguments.results[2]);
  }
};

}  // namespace

void attachNormalizationGradKernels(MLIRContext& context) {
  nn::LayerNormGradOp::attachInterface<
      NormGradKernel<nn::LayerNormGradOp, /*kHasMean=*/true>>(context);
  nn::RmsNormGradOp::attachInterface<
      NormGradKernel<nn::RmsNormGradOp, /*kHasMean=*/false>>(context);
}

}  // namespace sbp::cuda
