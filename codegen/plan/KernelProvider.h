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

#include "dialects/support/LLVM.h"

namespace sbp {

/// How to run an op. The arguments of its kernel are the buffers of the op's
/// operands, then of its results, each in the order of the op, then the scratch
/// buffer if there is one. Results and scratch overlap nothing, except as asked
/// for in KernelProvider::kernelFor.
struct Kernel {
  int64_t index = 0;         // in KernelProvider::names()
  int64_t scratchBytes = 0;  // no scratch buffer when 0
};

/// In the place of an operand's number: the result has a buffer of its own.
inline constexpr int64_t kOwnBuffer = -1;

class KernelProvider {
 public:
  virtual ~KernelProvider() = default;

  /// Whether result number `result` of `op` may be written to the very buffer
  /// of operand number `operand`, which no other operand is in.
  virtual bool canWriteInPlace(Operation* op, int64_t result,
                               int64_t operand) const = 0;

  /// The kernel for `op`, which works on local tensors. `inPlace` says for each
  /// result in which operand's buffer it is, or kOwnBuffer; empty, all have
  /// their own. Ops that differ only in where they stand share a kernel. Fails
  /// with a diagnostic at an op that the provider cannot compile.
  virtual FailureOr<Kernel> kernelFor(Operation* op,
                                      ArrayRef<int64_t> inPlace) = 0;

  /// The symbols of all kernels that were asked for.
  virtual const std::vector<std::string>& names() const = 0;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELPROVIDER_H_
