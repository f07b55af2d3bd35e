// Convolution, pooling and batch normalisation: ops on [samples, channels,
// space...].

#include <algorithm>
#include <cmath>

#include "dialects/nn/Nn.h"
#include "test/properties/steps/Steps.h"

namespace sbp::properties {
namespace {

/// Random windows that fit the spatial dimensions of a tensor, as the
/// attributes of an op.
class RandomWindows {
 public:
  RandomWindows(FunctionWriter& f, ArrayRef<int64_t> space) {
    Choices& choices = f.choices();
    SmallVector<int64_t> strides, low, high, dilations;
    for (int64_t extent : space) {
      nn::Window window =
          choices.chance(40) ? dividing(extent, choices) : any(extent, choices);
      extents.push_back(window.extent);
      outputs.push_back(window.numOutputs(extent));
      strides.push_back(window.stride);
      low.push_back(window.low);
      high.push_back(window.high);
      dilations.push_back(window.dilation);
    }
    OpBuilder& builder = f.builder();
    this->strides = builder.getDenseI64ArrayAttr(strides);
    this->low = builder.getDenseI64ArrayAttr(low);
    this->high = builder.getDenseI64ArrayAttr(high);
    this->dilations = builder.getDenseI64ArrayAttr(dilations);
  }

  SmallVector<int64_t> extents, outputs;
  mlir::DenseI64ArrayAttr strides, low, high, dilations;

 private:
  static nn::Window any(int64_t extent, Choices& choices) {
    nn::Window window;
    window.low = choices.chance(40) ? choices.between(0, 2) : 0;
    window.high = choices.chance(40) ? choices.between(0, 2) : 0;
    int64_t room = extent + window.low + window.high;
    window.extent = choices.between(1, std::min<int64_t>(room, 3));
    if (window.extent > 1)
      window.dilation = choices.between(
          1, std::min<int64_t>((room - 1) / (window.extent - 1), 2));
    window.stride = choices.chance(60) ? 1 : choices.between(1, 3);
    return window;
  }

  /// Returns a window with one output per input, or per two inputs.
  static nn::Window dividing(int64_t extent, Choices& choices) {
    nn::Window window;
    window.extent = choices.between(1, 3);
    window.dilation = choices.between(1, 2);
    window.stride = extent % 2 == 0 && extent > 0 && choices.chance(40) ? 2 : 1;
    int64_t pads = std::max<int64_t>(0, window.span() - window.stride);
    window.low = choices.between(0, pads);
    window.high = pads - window.low;
    return window;
  }
};

void addConvolution(FunctionWriter& f) {
  Value input = f.floats(/*minRank=*/3);
  ArrayRef<int64_t> shape = shapeOf(input);
  RandomWindows windows(f, shape.drop_front(2));
  Shape filter = {f.choices().between(1, 4), shape[1]};
  filter.append(windows.extents.begin(), windows.extents.end());
  Shape result = {shape[0], filter[0]};
  result.append(windows.outputs.begin(), windows.outputs.end());
  if (numElements(filter) > FunctionWriter::kMaxElements ||
      numElements(result) > FunctionWriter::kMaxElements)
    return;
  Value weights = f.floatLeaf(filter);
  double terms = numElements(filter) / filter[0];
  f.keep(f.make<nn::ConvolutionOp>(
             RankedTensorType::get(result, f.floatType()), input, weights,
             /*first=*/ValueRange(), /*first_in=*/nullptr, windows.strides,
             windows.low, windows.high, windows.dilations),
         terms * f.boundOf(input) * f.boundOf(weights));
}

void addPool(FunctionWriter& f) {
  Value input = f.floats(/*minRank=*/3);
  ArrayRef<int64_t> shape = shapeOf(input);
  using nn::ReduceKind;
  constexpr ReduceKind kKinds[] = {ReduceKind::Sum, ReduceKind::Max,
                                   ReduceKind::Min, ReduceKind::Mean};
  ReduceKind kind = f.choices().pick(ArrayRef(kKinds));
  RandomWindows windows(f, shape.drop_front(2));
  Shape result(shape.take_front(2));
  result.append(windows.outputs.begin(), windows.outputs.end());
  if (numElements(result) > FunctionWriter::kMaxElements) return;
  // A window with padding only would have an infinite maximum or minimum.
  auto isPadded = [](mlir::DenseI64ArrayAttr pads) {
    return llvm::any_of(pads.asArrayRef(), [](int64_t pad) { return pad > 0; });
  };
  if ((kind == ReduceKind::Max || kind == ReduceKind::Min) &&
      (isPadded(windows.low) || isPadded(windows.high)))
    return;
  Value pooled = f.make<nn::PoolOp>(
      RankedTensorType::get(result, f.floatType()), kind, input,
      windows.extents, /*first=*/ValueRange(), /*first_in=*/nullptr,
      windows.strides, windows.low, windows.high, windows.dilations);
  f.keep(pooled, (kind == ReduceKind::Sum ? numElements(windows.extents) : 1) *
                     f.boundOf(input));
}

/// Adds a batch normalisation, by the statistics of its input or by others.
void addBatchNorm(FunctionWriter& f) {
  Value input = f.floats(/*minRank=*/2);
  ArrayRef<int64_t> shape = shapeOf(input);
  Shape vector = {shape[1]};
  Value mean, variance;
  double bound = 0;
  double epsilon = 0.01;
  if (f.choices().chance(70)) {
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < rankOf(input); ++dim)
      if (dim != 1) dims.push_back(dim);
    mean = f.make<nn::ReduceOp>(nn::ReduceKind::Mean, input, dims,
                                /*keep=*/false,
                                /*count=*/mlir::IntegerAttr());
    variance = f.make<nn::BatchVarianceOp>(input, mean,
                                           /*count=*/mlir::IntegerAttr());
    bound = std::sqrt(numElements(shape) / shape[1]);
  } else {
    mean = f.floatLeaf(vector);
    variance = f.positive(f.floatLeaf(vector));
    // The variance is above 1/3 (FunctionWriter::positive).
    bound = std::sqrt(3) * (f.boundOf(input) + f.boundOf(mean));
  }
  Value gamma = f.floatLeaf(vector);
  Value beta = f.floatLeaf(vector);
  f.keep(f.make<nn::BatchNormOp>(input, mean, variance, gamma, beta,
                                 llvm::APFloat(epsilon)),
         bound * f.boundOf(gamma) + f.boundOf(beta));
}

}  // namespace

std::vector<FunctionStep> windowSteps() {
  return {addConvolution, addConvolution, addPool, addBatchNorm};
}

}  // namespace sbp::properties
