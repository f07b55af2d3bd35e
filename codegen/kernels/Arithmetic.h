// Numbers of any element type, and vectors of them, in the words of a formula.
//
//   Arithmetic x(builder);
//   Value sigmoid = x.div(x.like(in, 1), x.add(x.like(in, 1),
//   x.exp(x.neg(in))));
//
// Floating-point operations may be contracted (a * b + c in one rounding), and
// no other liberty is taken: infinities and NaNs mean what they mean.

#ifndef CODEGEN_KERNELS_ARITHMETIC_H_
#define CODEGEN_KERNELS_ARITHMETIC_H_

#include "codegen/kernels/KernelBuilder.h"
#include "dialects/nn/Nn.h"

namespace sbp {

class Arithmetic {
 public:
  explicit Arithmetic(KernelBuilder& builder) : builder_(builder) {}

  /// The constant `value`, a splat if need be, in the type of `prototype`.
  mlir::Value like(mlir::Value prototype, double value);

  // Floats and integers. An integer divided by zero is zero.
  mlir::Value neg(mlir::Value a);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value compare(nn::Predicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// To the element type `type`.
  mlir::Value cast(mlir::Value a, mlir::Type type);

  // Floats.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value exp(mlir::Value a);
  mlir::Value log(mlir::Value a);
  mlir::Value sqrt(mlir::Value a);
  mlir::Value tanh(mlir::Value a);
  mlir::Value erf(mlir::Value a);
  mlir::Value sigmoid(mlir::Value a);

 private:
  KernelBuilder& builder_;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_ARITHMETIC_H_
