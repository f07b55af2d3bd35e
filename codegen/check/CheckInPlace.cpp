#include "codegen/check/CheckInPlace.h"

#include <optional>

#include "codegen/check/Counterexample.h"
#include "codegen/check/Difference.h"
#include "codegen/plan/KernelProvider.h"

namespace sbp::check {
namespace {

/// Relative tolerance: code for shared buffers may round differently.
constexpr double kTolerance = 1e-5;

using interpreter::KernelEvaluator;

/// Returns the first element in which the kernel on `memory` differs from the
/// results of `sample`.
FailureOr<std::optional<Difference>> differenceOn(
    const KernelEvaluator::Memory& memory, Operation* op, const Sample& sample,
    KernelEvaluator& kernels) {
  FailureOr<interpreter::Results> results =
      kernels.evaluate(op, sample.operands, memory);
  if (failed(results)) return failure();
  return firstDifference(*results, sample.results, kTolerance, /*absolute=*/0);
}

}  // namespace

FailureOr<int64_t> checkInPlace(Operation* op, ArrayRef<Sample> samples,
                                KernelEvaluator& kernels) {
  const auto pairs = kernels.inPlacePairs(op);
  for (const Sample& sample : samples) {
    KernelEvaluator::Memory other;
    other.fill = 0;
    auto difference = differenceOn(other, op, sample, kernels);
    if (failed(difference)) return failure();
    if (*difference)
      return counterexample(op, sample.operands)
             << "has a kernel whose results depend on what their memory held "
                "before: "
             << (*difference)->element("result") << " is "
             << (*difference)->actual << " and " << (*difference)->expected;

    for (auto [operand, result] : pairs) {
      KernelEvaluator::Memory shared;
      shared.inPlace.assign(op->getNumResults(), KernelProvider::kOwnBuffer);
      shared.inPlace[result] = operand;
      difference = differenceOn(shared, op, sample, kernels);
      if (failed(difference)) return failure();
      if (*difference)
        return counterexample(op, sample.operands)
               << "has a kernel that cannot write result " << result
               << " to the memory of operand " << operand
               << ", as canWriteInPlace says: "
               << (*difference)->element("result") << " is "
               << (*difference)->actual << " there and "
               << (*difference)->expected << " in memory of its own";
    }
  }
  return static_cast<int64_t>(pairs.size());
}

}  // namespace sbp::check
