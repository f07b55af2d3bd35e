#include "runtime/data/SampleLayout.h"

#include "runtime/tensor/Rows.h"

namespace sbp::data {

SampleLayout::SampleLayout(const std::vector<int64_t>& whole,
                           bool isFortranOrder) {
  if (whole.empty()) return;
  samples = whole[0];
  shape.assign(whole.begin() + 1, whole.end());
  for (int64_t extent : shape) elements *= extent;
  // With the batch as the only dimension, both orders are the same.
  if (!isFortranOrder) return;
  int64_t stride = samples;
  for (int64_t extent : shape) {
    strides.push_back(stride);
    stride *= extent;
  }
}

void SampleLayout::forEachRun(
    int64_t sample, const plan::Box& box,
    const std::function<void(const ElementRun&)>& visit) const {
  if (isDense()) {
    tensor::forEachRow(
        shape, box, [&](int64_t inSample, int64_t inBox, int64_t count) {
          visit({begin(sample) + inSample, /*stride=*/1, inBox, count});
        });
    return;
  }
  // Each run lies along the last dimension; the outer dimensions determine
  // where it begins.
  const size_t last = shape.size() - 1;
  const std::vector<int64_t> outer(shape.begin(), shape.end() - 1);
  const plan::Box outerBox(box.begin(), box.end() - 1);
  const plan::Range inner = box[last];
  if (inner.size == 0) return;
  tensor::forEachRow(
      outer, outerBox, [&](int64_t inOuter, int64_t inBox, int64_t count) {
        for (int64_t i = 0; i < count; ++i) {
          int64_t first = sample + inner.begin * strides[last];
          int64_t index = inOuter + i;
          for (size_t dim = last; dim-- > 0; index /= outer[dim])
            first += index % outer[dim] * strides[dim];
          visit({first, strides[last], (inBox + i) * inner.size, inner.size});
        }
      });
}

plan::Box SampleLayout::whole() const {
  plan::Box box;
  for (int64_t extent : shape) box.push_back({0, extent});
  return box;
}

}  // namespace sbp::data
