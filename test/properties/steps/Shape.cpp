// Ops that rearrange, repeat, cut or join tensors.

#include <algorithm>
#include <numeric>

#include "dialects/nn/Nn.h"
#include "test/properties/steps/Steps.h"

namespace sbp::properties {
namespace {

RankedTensorType like(Value value, ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, elementTypeOf(value));
}

/// Adds a reshape that merges neighbouring dimensions, splits dimensions into
/// factors, and adds and drops extents of 1.
void addReshape(FunctionWriter& f) {
  Value x = f.anything();
  Shape shape(shapeOf(x));
  Choices& choices = f.choices();
  for (int64_t changes = choices.between(1, 3); changes > 0; --changes) {
    switch (choices.below(3)) {
      case 0: {  // Merge.
        if (shape.size() < 2) break;
        int64_t dim = choices.below(shape.size() - 1);
        shape[dim] *= shape[dim + 1];
        shape.erase(shape.begin() + dim + 1);
        break;
      }
      case 1: {  // Split.
        if (shape.empty() || shape.size() == 4) break;
        int64_t dim = choices.below(shape.size());
        SmallVector<int64_t> factors;
        for (int64_t factor = 1; factor <= shape[dim]; ++factor)
          if (shape[dim] % factor == 0) factors.push_back(factor);
        int64_t factor = choices.pick(factors);
        shape[dim] /= factor;
        shape.insert(shape.begin() + dim, factor);
        break;
      }
      default:
        if (shape.size() < 4)
          shape.insert(shape.begin() + choices.below(shape.size() + 1), 1);
    }
  }
  f.keep(f.make<nn::ReshapeOp>(like(x, shape), x), f.boundOf(x));
}

void addTranspose(FunctionWriter& f) {
  Value x = f.anything();
  SmallVector<int64_t> permutation(rankOf(x));
  std::iota(permutation.begin(), permutation.end(), 0);
  f.choices().shuffle(permutation);
  f.keep(f.make<nn::TransposeOp>(x, permutation), f.boundOf(x));
}

void addBroadcast(FunctionWriter& f) {
  Value x = f.anything();
  Shape shape(shapeOf(x));
  for (int64_t& extent : shape)
    if (extent == 1) extent = f.extent();
  if (shape.size() < 4 && f.choices().chance(50))
    shape.insert(shape.begin(), f.extent());
  if (numElements(shape) > FunctionWriter::kMaxElements)
    shape = Shape(shapeOf(x));
  f.keep(f.make<nn::BroadcastOp>(like(x, shape), x), f.boundOf(x));
}

void addSlice(FunctionWriter& f) {
  Value x = f.anything();
  SmallVector<int64_t> offsets, sizes;
  for (int64_t extent : shapeOf(x)) {
    bool isWhole = f.choices().chance(50);
    sizes.push_back(isWhole ? extent : f.choices().between(1, extent));
    offsets.push_back(f.choices().below(extent - sizes.back() + 1));
  }
  f.keep(f.make<nn::SliceOp>(x, offsets, sizes), f.boundOf(x));
}

void addPad(FunctionWriter& f) {
  Value x = f.anything();
  SmallVector<int64_t> low, high;
  int64_t elements = 1;
  for (int64_t extent : shapeOf(x)) {
    bool isPadded = f.choices().chance(50);
    low.push_back(isPadded ? f.choices().below(4) : 0);
    high.push_back(isPadded ? f.choices().below(4) : 0);
    elements *= extent + low.back() + high.back();
  }
  if (elements > FunctionWriter::kMaxElements)
    std::fill(low.begin(), low.end(), 0), high = low;
  f.keep(f.make<nn::PadOp>(x, low, high), f.boundOf(x));
}

void addConcat(FunctionWriter& f) {
  Value x = f.anything(/*minRank=*/1);
  int64_t dim = f.choices().below(rankOf(x));
  SmallVector<Value> parts = {x};
  double bound = f.boundOf(x);
  int64_t elements = numElements(shapeOf(x));
  for (int64_t more = f.choices().between(0, 2); more > 0; --more) {
    Shape shape(shapeOf(x));
    shape[dim] = f.extent();
    elements += numElements(shape);
    if (elements > FunctionWriter::kMaxElements) break;
    parts.push_back(f.leaf(shape, elementTypeOf(x)));
    bound = std::max(bound, f.boundOf(parts.back()));
  }
  f.choices().shuffle(parts);
  f.keep(f.make<nn::ConcatOp>(parts, dim), bound);
}

}  // namespace

std::vector<FunctionStep> shapeSteps() {
  return {addReshape, addTranspose, addBroadcast, addSlice, addPad, addConcat};
}

}  // namespace sbp::properties
