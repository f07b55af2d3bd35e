// The interface through which a plan asks a code generator for kernels.
//
// The plan knows which op of a local program runs when, and on which buffers;
// how an op is computed is the code generator's business. This interface is all
// that the two share.

#ifndef CODEGEN_PLAN_KERNELPROVIDER_H_
#define CODEGEN_PLAN_KERNELPROVIDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Makes the kernels of a plan, on demand, and numbers them.
class KernelProvider {
 public:
  /// Stands for an operand's index if a result has a buffer of its own.
  static constexpr int64_t kOwnBuffer = -1;

  virtual ~KernelProvider() = default;

  /// Returns the kind of device that the kernels run on.
  virtual const KernelTarget& target() const = 0;

  /// Returns the kernel for `op`, as an index into kernelNames(). `inPlace` has
  /// for each result the operand whose buffer it is written to, one of the
  /// pairs of KernelNeeds::inPlace, or kOwnBuffer; empty: every result has a
  /// buffer of its own. Ops of one kernelKey share a kernel if `inPlace` and
  /// `count` are equal. Fails with a diagnostic where target().needsOf() does.
  ///
  /// The kernel's arguments are the buffers of the op's operands, then of its
  /// results, each in the order of the op, then the scratch buffer if there is
  /// one. A kernel that runs `count` such ops at once, up to
  /// KernelNeeds::mostAtOnce, takes the operands of the first, of the second,
  /// ..., then the results of the first, of the second, ...; `inPlace` counts
  /// operands and results likewise.
  virtual FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace,
                                       int64_t count) = 0;

  /// Returns the symbols of all kernels that were asked for.
  virtual std::vector<std::string> kernelNames() const = 0;

  /// Returns the launches by which a GPU runs kernel `kernel`, one after the
  /// other. Empty on a CPU, where a kernel is a function.
  virtual std::vector<plan::Launch> launchesOf(int64_t kernel) const {
    return {};
  }
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELPROVIDER_H_
