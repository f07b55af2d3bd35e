// The memory layout of samples in a tensor of shape [samples, d1, d2, ...]. The
// tensor is row-major, or in Fortran order, where the first index varies
// fastest and the elements of a sample are scattered over the whole tensor.

#ifndef RUNTIME_DATA_SAMPLELAYOUT_H_
#define RUNTIME_DATA_SAMPLELAYOUT_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/plan/Box.h"

namespace sbp::data {

/// Elements of a box of a sample. In the dense tensor of the box they are
/// adjacent; in the tensor of all samples they are `stride` elements apart.
struct ElementRun {
  int64_t first;   // index of the first element in the tensor of all samples
  int64_t stride;  // in elements
  int64_t inBox;   // index of the first element in the dense tensor of the box
  int64_t count;   // number of elements
};

/// The layout of samples in a tensor.
class SampleLayout {
 public:
  /// Creates the layout of a tensor of shape `whole`. A scalar is one sample
  /// without dimensions.
  SampleLayout(const std::vector<int64_t>& whole, bool isFortranOrder);

  int64_t numSamples() const { return samples; }
  const std::vector<int64_t>& sampleShape() const { return shape; }

  /// Whether the elements of a sample are contiguous and row-major.
  bool isDense() const { return strides.empty(); }

  /// Returns the index of the first element of sample `sample`. Requires
  /// isDense().
  int64_t begin(int64_t sample) const { return sample * elements; }

  /// Calls `visit` for runs of elements that together make up `box` of sample
  /// `sample`, in row-major order.
  void forEachRun(int64_t sample, const plan::Box& box,
                  const std::function<void(const ElementRun&)>& visit) const;

  /// Returns the box of a whole sample.
  plan::Box whole() const;

 private:
  int64_t samples = 1;
  std::vector<int64_t> shape;  // of a sample
  int64_t elements = 1;        // of a sample
  // Distance in the tensor, in elements, along each dimension of a sample;
  // empty if samples are dense.
  std::vector<int64_t> strides;
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_SAMPLELAYOUT_H_
