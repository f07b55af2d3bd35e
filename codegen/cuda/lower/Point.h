// A point of space, found dimension by dimension.

#ifndef CODEGEN_CUDA_LOWER_POINT_H_
#define CODEGEN_CUDA_LOWER_POINT_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// The number of a point in row-major order of all, if the i1 `isThere` is
/// true.
class Point {
 public:
  explicit Point(KernelBuilder& builder);

  /// Adds the next dimension, in which the point is `index` of `extent`.
  void add(mlir::Value index, int64_t extent);

  /// Requires that a condition holds, an i1, and that an index that may be
  /// negative is inside of an extent.
  void require(mlir::Value condition);
  void requireInside(mlir::Value index, int64_t extent);

  mlir::Value number() const { return number_; }
  mlir::Value isThere() const { return isThere_; }

 private:
  KernelBuilder& builder_;
  mlir::Value number_, isThere_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_POINT_H_
