// The code that layer_norm, rms_norm and their gradients have in common.
//
// Both norms turn a row x into x_hat = (x - mean) * scale, where scale is
// 1 / sqrt(mean((x - mean)^2) + epsilon), and multiply x_hat by gamma.
// layer_norm then adds beta; rms_norm takes 0 in place of the mean of x. Where
// h is gamma times the gradient of the result, the gradient of x is
//
//   layer_norm   scale * (h - mean(h) - x_hat * mean(h * x_hat))
//   rms_norm     scale * (h - x_hat * mean(h * x_hat))

#ifndef CODEGEN_KERNELS_FAMILIES_NORMROWS_H_
#define CODEGEN_KERNELS_FAMILIES_NORMROWS_H_

#include "codegen/kernels/Arithmetic.h"
#include "codegen/kernels/ParallelLoops.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {

/// The mean and scale of each row of a block, as vectors in the form of a
/// result of Rows::reduce. `mean` is null for rms_norm.
struct Normalizer {
  mlir::Value mean;
  mlir::Value scale;

  /// Returns x_hat of `value`, a vector of elements of x.
  mlir::Value apply(Arithmetic& x, mlir::Value value) const {
    return x.mul(mean ? x.sub(value, mean) : value, scale);
  }
};

/// Emits the code for blocks of rows of a norm or its gradient.
///
/// In all functions `input` is the tensor x, and `gradient` the gradient of the
/// result; rows are along the last dimension of both. `gamma` has one element
/// for each position in a row. `hasMean` is true for layer_norm.
class NormRows {
 public:
  NormRows(KernelBuilder& builder, ParallelLoops& loops, mlir::Value input,
           bool hasMean, double epsilon);

  const RowShape& shape() const { return shape_; }
  int64_t length() const { return shape_.length; }
  bool hasMean() const { return hasMean_; }
  mlir::Type elementType() const { return type_.getElementType(); }

  /// Emits loops over blocks of rows; `body` emits the code of one block.
  void forEach(llvm::function_ref<void(Rows&)> body);

  /// Returns the mean along each row of the vectors that `term` returns.
  mlir::Value mean(Rows& rows, llvm::function_ref<mlir::Value(Rows::At)> term);

  /// Returns the mean and scale of the rows of `input`.
  Normalizer normalizer(Rows& rows, ElementRef input);

  /// The means along each row that the gradient of x contains.
  struct Means {
    mlir::Value gradient;     // mean(h); null for rms_norm
    mlir::Value correlation;  // mean(h * x_hat)
  };
  /// Returns the means of `rows`. `normalizer` is what normalizer() returns for
  /// the same rows and input.
  Means meansOf(Rows& rows, const Normalizer& normalizer, ElementRef input,
                ElementRef gamma, ElementRef gradient);
  /// Returns the gradient of x at `at`.
  mlir::Value inputGradient(Rows& rows, Rows::At at,
                            const Normalizer& normalizer, const Means& means,
                            ElementRef input, ElementRef gamma,
                            ElementRef gradient);

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
