// What layer_norm, rms_norm and their gradients have in common.
//
// Both scale a row to unit size, x_hat = (x - mean) * scale, and then by gamma;
// rms_norm leaves the mean at zero. The gradient of such a row, with
// h = gradient * gamma, is
//
//   scale * (h - mean(h) - x_hat * mean(h * x_hat))
//
// without mean(h) for rms_norm.

#ifndef CODEGEN_KERNELS_FAMILIES_NORMROWS_H_
#define CODEGEN_KERNELS_FAMILIES_NORMROWS_H_

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ParallelLoops.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// How one row is normalised; vectors. `mean` is null for rms_norm.
struct Normalizer {
  mlir::Value mean;
  mlir::Value scale;

  mlir::Value apply(Arithmetic& x, mlir::Value value) const {
    return x.mul(mean ? x.sub(value, mean) : value, scale);
  }
};

class NormRows {
 public:
  /// Of the rows of `input`, a tensor, along its last dimension.
  NormRows(KernelBuilder& builder, ParallelLoops& loops, mlir::Value input,
           bool hasMean, double epsilon);

  const RowShape& shape() const { return shape_; }
  int64_t length() const { return shape_.length; }
  bool hasMean() const { return hasMean_; }
  mlir::Type elementType() const { return type_.getElementType(); }

  void forEach(llvm::function_ref<void(Rows&)> body);

  /// The mean along each row of what `term` gives.
  mlir::Value mean(Rows& rows, llvm::function_ref<mlir::Value(Rows::At)> term);

  Normalizer normalizer(Rows& rows, Place input);

  /// Means along rows: of h, null for rms_norm, and of h * x_hat.
  struct Means {
    mlir::Value gradient;
    mlir::Value correlation;
  };
  Means meansOf(Rows& rows, const Normalizer& normalizer, Place input,
                Place gamma, Place gradient);
  /// The gradient of the input at `at`.
  mlir::Value inputGradient(Rows& rows, Rows::At at,
                            const Normalizer& normalizer, const Means& means,
                            Place input, Place gamma, Place gradient);

 private:
  KernelBuilder& builder_;
  ParallelLoops& loops_;
  mlir::RankedTensorType type_;
  RowShape shape_;
  bool hasMean_;
  double epsilon_;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_FAMILIES_NORMROWS_H_
