// Slopes of an op by finite differences, to check its gradients.
//
// L is the sum of all elements of the op's floating-point results, each times a
// random weight. If the weights are the gradients of the results, the slope of
// L in an element of an operand is the gradient of this element.

#ifndef CODEGEN_CHECK_SLOPES_H_
#define CODEGEN_CHECK_SLOPES_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "codegen/check/Samples.h"
#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// The function L of the operands of an op.
class Loss {
 public:
  Loss(Operation* op, const interpreter::Evaluators& evaluators);

  /// Returns the weights of the floating-point results.
  SmallVector<interpreter::Tensor> weights() const;

  /// Returns L for `operands`. Fails if the op cannot be evaluated.
  FailureOr<double> at(ArrayRef<interpreter::Tensor> operands) const;
  /// Returns the sum of the magnitudes of L's terms for `results` of the op.
  double magnitude(ArrayRef<interpreter::Tensor> results) const;

 private:
  template <typename Map>
  double sum(ArrayRef<interpreter::Tensor> results, Map map) const;

  Operation* op_;
  const interpreter::Evaluator& evaluator_;
  std::vector<interpreter::Tensor> weights_;
};

/// The slopes of L to the left and to the right of an element's value.
struct Slopes {
  int64_t element = 0;
  double step = 0;
  double left = 0;
  double right = 0;

  double largest() const { return std::max(std::abs(left), std::abs(right)); }
  /// Whether both steps stay in the domain of the op.
  bool isFinite() const { return std::isfinite(left) && std::isfinite(right); }
  /// Whether `gradient` is between the slopes, or beyond them by at most
  /// `allowed`.
  bool admits(double gradient, double allowed) const {
    return gradient >= std::min(left, right) - allowed &&
           gradient <= std::max(left, right) + allowed;
  }
};

/// Returns the slopes of `loss` at `sample` in element `element` of operand
/// `operand`, over a distance of about `step`. Fails if the op cannot be
/// evaluated.
FailureOr<Slopes> slopesIn(int64_t element, const Loss& loss,
                           const Sample& sample, size_t operand, double step);

/// Returns the result of slopesIn() for each element of operand `operand`, or
/// if there are more than 32, for elements that are spread over the operand.
FailureOr<std::vector<Slopes>> slopesAt(const Loss& loss, const Sample& sample,
                                        size_t operand, double step);

/// Whether the interval between the two slopes of `first` and that between the
/// slopes of `second` overlap, or are at most `allowed` apart.
bool agree(const Slopes& first, const Slopes& second, double allowed);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_SLOPES_H_
