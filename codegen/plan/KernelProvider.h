// Where the plan gets its kernels from.
//
// The plan knows which op of a local program runs when, and on which buffers;
// how an op is computed is a code generator's business. All that the two need
// of each other stands here.

#ifndef CODEGEN_PLAN_KERNELPROVIDER_H_
#define CODEGEN_PLAN_KERNELPROVIDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

class KernelProvider {
 public:
  /// In the place of an operand's number: the result has a buffer of its own.
  static constexpr int64_t kOwnBuffer = -1;

  virtual ~KernelProvider() = default;

  /// What the kernels are for.
  virtual const KernelTarget& target() const = 0;

  /// The kernel for `op`, as an index into kernelNames(). Fails with a
  /// diagnostic where target().needsOf() does. `inPlace` says for
  /// each result which operand's buffer it lies in, among the pairs of
  /// KernelNeeds::inPlace; empty says that none does. Ops that differ only in
  /// where they stand (kernelKey) share a kernel.
  ///
  /// The kernel's arguments are the buffers of the op's operands, then of its
  /// results, each in the order of the op, then the scratch buffer if there is
  /// one. A kernel that runs `count` such ops at once, up to
  /// KernelNeeds::mostAtOnce, takes the operands of the first, of the second,
  /// ..., then the results of the first, of the second, ...; `inPlace` counts
  /// likewise.
  virtual FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace,
                                       int64_t count) = 0;

  /// The symbols of all kernels that were asked for.
  virtual std::vector<std::string> kernelNames() const = 0;

  /// How a GPU runs kernel `kernel`, one launch behind the other; on a CPU it
  /// is a function, and there are none.
  virtual std::vector<plan::Launch> launchesOf(int64_t kernel) const {
    return {};
  }
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELPROVIDER_H_
