// The linear index of a point of space, computed dimension by dimension.

#ifndef CODEGEN_CUDA_LOWER_POINT_H_
#define CODEGEN_CUDA_LOWER_POINT_H_

#include "codegen/kernels/KernelBuilder.h"

namespace sbp::cuda {

/// The row-major linear index of a point of space. It is valid if the i1
/// `isValid` is true: the point may lie in padding, or not exist.
class Point {
 public:
  explicit Point(KernelBuilder& builder);

  /// Adds the next dimension, of `extent`, in which the point has `index`.
  void add(mlir::Value index, int64_t extent);

  /// Makes the point invalid unless `condition`, an i1, is true; or unless
  /// `index`, which may be negative, is inside of `extent`.
  void require(mlir::Value condition);
  void requireInside(mlir::Value index, int64_t extent);

  mlir::Value number() const { return number_; }
  mlir::Value isValid() const { return isValid_; }

 private:
  KernelBuilder& builder_;
  mlir::Value number_, isValid_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_LOWER_POINT_H_
