// The slopes of an op, by finite differences: with them its gradients are
// compared.
//
// L is a sum of the elements of the op's floating-point results, with random
// weights. Its slope in an element of an operand is the element's gradient.

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

  /// Returns the weights of floating-point results: their gradients.
  SmallVector<interpreter::Tensor> weights() const;

  /// Returns L, or the sum of the magnitudes of its terms.
  FailureOr<double> at(ArrayRef<interpreter::Tensor> operands) const;
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
  /// Whether the step stays in the domain of the op.
  bool isFinite() const { return std::isfinite(left) && std::isfinite(right); }
  /// Whether `gradient` is between the slopes, or wrong by at most `allowed`.
  bool admits(double gradient, double allowed) const {
    return gradient >= std::min(left, right) - allowed &&
           gradient <= std::max(left, right) + allowed;
  }
};

/// Returns the slopes of `loss` at `sample` in element `element` of operand
/// `operand`, over a distance of `step`.
FailureOr<Slopes> slopesIn(int64_t element, const Loss& loss,
                           const Sample& sample, size_t operand, double step);

/// Returns the slopes in elements of operand `operand`: in all of them, or in
/// some that are spread over the operand if it is large.
FailureOr<std::vector<Slopes>> slopesAt(const Loss& loss, const Sample& sample,
                                        size_t operand, double step);

/// Whether the slopes `first` and `second` of an element can be those of one
/// point, if they may be wrong by `allowed`.
bool agree(const Slopes& first, const Slopes& second, double allowed);

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_SLOPES_H_
