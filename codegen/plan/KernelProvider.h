// Where the plan gets its kernels from.
//
// The plan knows which op of a local program runs when, and on which buffers;
// how an op is computed is a code generator's business. All that the two need
// of each other stands here.

#ifndef CODEGEN_PLAN_KERNELPROVIDER_H_
#define CODEGEN_PLAN_KERNELPROVIDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dialects/support/LLVM.h"

namespace sbp {

/// What the kernel of an op asks of the memory it works in.
struct KernelNeeds {
  int64_t scratchBytes = 0;  // none when 0
  /// Pairs (operand, result) that may be one and the same buffer: the kernel
  /// reads element i of the operand before it writes element i of the result,
  /// and not after. Any other two arguments of which one is a result never
  /// overlap.
  SmallVector<std::pair<int64_t, int64_t>, 2> inPlace;
};

class KernelProvider {
 public:
  /// In the place of an operand's number: the result has a buffer of its own.
  static constexpr int64_t kOwnBuffer = -1;

  virtual ~KernelProvider() = default;

  /// What the kernel of `op`, which works on local tensors, needs. Fails with a
  /// diagnostic at an op that the provider cannot compile.
  virtual FailureOr<KernelNeeds> needsOf(Operation* op) = 0;

  /// The kernel for `op`, as an index into kernelNames(). `inPlace` says for
  /// each result which operand's buffer it lies in, among the pairs of
  /// KernelNeeds::inPlace; empty says that none does. Ops that differ only in
  /// where they stand share a kernel.
  ///
  /// The kernel's arguments are the buffers of the op's operands, then of its
  /// results, each in the order of the op, then the scratch buffer if there is
  /// one.
  virtual FailureOr<int64_t> kernelFor(Operation* op,
                                       ArrayRef<int64_t> inPlace) = 0;

  /// The symbols of all kernels that were asked for.
  virtual std::vector<std::string> kernelNames() const = 0;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELPROVIDER_H_
