// The interface through which a plan asks a code generator for kernels.
//
// The plan knows which op of a local program runs when, and on which buffers;
// how an op is computed is the code generator's business. This interface is all
// that the two share.

#ifndef CODEGEN_PLAN_KERNELPROVIDER_H_
#define CODEGEN_PLAN_KERNELPROVIDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinTypes.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Makes the kernels of a plan, on demand, and numbers them.
class KernelProvider {
 public:
  /// Element of `inPlace` for a result that has a buffer of its own.
  static constexpr int64_t kOwnBuffer = -1;

  virtual ~KernelProvider() = default;

  /// Returns the target that the kernels are made for.
  virtual const KernelTarget& target() const = 0;

  /// Returns the kernel for `op`, as an index into kernelNames(). `inPlace` has
  /// an element per result: the index of the operand to whose buffer the result
  /// is written, or kOwnBuffer. Each such pair (operand, result) must be one of
  /// KernelNeeds::inPlace. An empty `inPlace` means kOwnBuffer for all results.
  /// Ops of one kernelKey may share a kernel if `inPlace` and `count` are
  /// equal. Fails with a diagnostic if target().needsOf() does.
  ///
  /// The kernel's arguments are the buffers of the op's operands in their
  /// order, then those of its results, then the scratch buffer if there is one.
  /// The kernel runs `count` such ops at once, at most KernelNeeds::mostAtOnce.
  /// It takes the operands of the first op, of the second, ..., then the
  /// results of the first, of the second, ...; `inPlace` counts operands and
  /// results in the same way.
  virtual FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace,
                                       int64_t count) = 0;

  /// Returns the symbols of all kernels made so far, by index.
  virtual std::vector<std::string> kernelNames() const = 0;

  /// Returns the launch that adds up the squares of a gradient of the type
  /// `gradient` on a GPU (plan::Gradient::squares); nullopt on a CPU.
  virtual std::optional<plan::Launch> squaresOf(RankedTensorType gradient) {
    return std::nullopt;
  }

  /// Returns the launches by which a GPU runs the kernel of index `kernel`, one
  /// after the other. Empty for a CPU, where a kernel is a function.
  virtual std::vector<plan::Launch> launchesOf(int64_t kernel) const {
    return {};
  }
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELPROVIDER_H_
