// Where the elements of a sample lie in a tensor [samples, d1, d2, ...] that is
// row-major, or in Fortran order, where the first index runs fastest and a
// sample lies scattered over the whole.

#ifndef RUNTIME_DATA_SAMPLELAYOUT_H_
#define RUNTIME_DATA_SAMPLELAYOUT_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/plan/Box.h"

namespace sbp::data {

/// Elements of a sample that follow each other in it and are `stride` elements
/// apart in the tensor.
struct ElementRun {
  int64_t first;  // in the tensor
  int64_t stride;
  int64_t inBox;  // where the first stands in a dense tensor of the box
  int64_t count;
};

class SampleLayout {
 public:
  /// Lays out a tensor of `shape`; a scalar is one sample of no dimension.
  SampleLayout(const std::vector<int64_t>& shape, bool isFortranOrder);

  int64_t numSamples() const { return samples; }
  const std::vector<int64_t>& sampleShape() const { return shape; }

  /// Whether a sample lies in one piece, row-major.
  bool isDense() const { return strides.empty(); }

  /// The first element of a sample that lies in one piece.
  int64_t begin(int64_t sample) const { return sample * elements; }

  /// Calls `visit` for runs that make up `box` of a sample, in its order.
  void forEachRun(int64_t sample, const plan::Box& box,
                  const std::function<void(const ElementRun&)>& visit) const;

  /// All of a sample.
  plan::Box whole() const;

 private:
  int64_t samples = 1;
  std::vector<int64_t> shape;    // of a sample
  int64_t elements = 1;          // of a sample
  std::vector<int64_t> strides;  // of its dimensions, in Fortran order
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_SAMPLELAYOUT_H_
