// The linear index of a point of a grid, computed dimension by dimension.

#ifndef CODEGEN_CUDA_LOWER_POINT_H_
#define CODEGEN_CUDA_LOWER_POINT_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// A point of a spatial grid: its row-major linear index, and whether it
/// exists. The caller adds the dimensions, outermost first. The grid is the
/// input plane, the output plane or the window.
class Point {
 public:
  explicit Point(KernelBuilder& builder);

  /// Adds the next dimension, of `extent`, in which the point has `index`.
  void add(mlir::Value index, int64_t extent);

  /// Makes the point invalid unless `condition`, an i1, is true.
  void require(mlir::Value condition);
  /// Makes the point invalid unless 0 <= `index` < `extent`.
  void requireInside(mlir::Value index, int64_t extent);

  /// Row-major; meaningless where isValid() is false.
  mlir::Value linearIndex() const { return linearIndex_; }
  /// An i1: false if the point lies in padding or does not exist.
  mlir::Value isValid() const { return isValid_; }

 private:
  KernelBuilder& builder_;
  mlir::Value linearIndex_, isValid_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_POINT_H_
