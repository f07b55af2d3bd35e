// Arithmetic on scalars of any element type, and on vectors of them, written
// like a formula:
//
//   Arithmetic x(builder);
//   Value one = x.like(in, 1);
//   Value sigmoid = x.div(one, x.add(one, x.exp(x.neg(in))));
//
// No fast-math flag is set: infinities and NaNs follow IEEE 754, and each
// operation is rounded. So a formula has the same bits in every kernel for a
// target. The maximum or minimum of a NaN and a number is NaN.

#ifndef CODEGEN_KERNELS_ARITHMETIC_H_
#define CODEGEN_KERNELS_ARITHMETIC_H_

#include "codegen/kernels/KernelBuilder.h"
#include "dialects/nn/Nn.h"

namespace sbp {

/// Emits arithmetic. All operands of an operation have the same type, except
/// the condition of select(), which is an i1 or a vector of i1.
class Arithmetic {
 public:
  explicit Arithmetic(KernelBuilder& builder) : builder_(builder) {}

  /// Returns the constant `value` in the type of `prototype`: `value` in each
  /// element if that type is a vector.
  mlir::Value like(mlir::Value prototype, double value);

  // Operations on floats and integers. Integers are signed and wrap; an integer
  // divided by zero is zero.
  mlir::Value neg(mlir::Value a);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value compare(nn::Predicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  /// Converts `a`, a scalar or a vector, to the element type `type`. A float
  /// becomes an integer by truncation; any number becomes an i1 by whether it
  /// differs from 0; an i1 becomes 0 or 1.
  mlir::Value cast(mlir::Value a, mlir::Type type);

  // Operations on floats.
  /// Returns a * b + c, rounded once if the target has a fused multiply-add,
  /// else twice.
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
