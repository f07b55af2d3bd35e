// The first element in which tensors differ by more than rounding.

#ifndef CODEGEN_CHECK_DIFFERENCE_H_
#define CODEGEN_CHECK_DIFFERENCE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// An element of one of several tensors, with the value that it has and the
/// value that it should have.
struct Difference {
  size_t tensor = 0;
  SmallVector<int64_t> index;
  double actual = 0;
  double expected = 0;

  /// Returns text such as "element [0, 3] of result 1", for `what` "result".
  std::string element(StringRef what) const;
};

/// Returns the largest magnitude of a finite element of `tensors`; 0 if there
/// is none.
double largestMagnitude(ArrayRef<interpreter::Tensor> tensors);

/// Returns the first element of `actual` that differs from the element of
/// `expected` by more than `tolerance` times the largest magnitude in the
/// expected tensor, plus `absolute`. Integers must be equal, and so must
/// infinities and NaNs. The tensors must be of the same types.
std::optional<Difference> firstDifference(
    ArrayRef<interpreter::Tensor> actual,
    ArrayRef<interpreter::Tensor> expected, double tolerance, double absolute);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_DIFFERENCE_H_
