// The compiled kernels of some ops, which can be run in this process.

#ifndef CODEGEN_KERNELS_TESTING_RUNNABLEKERNELS_H_
#define CODEGEN_KERNELS_TESTING_RUNNABLEKERNELS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sbp {

/// The kernels of a list of ops. `op` is always the index of an op in this
/// list.
class RunnableKernels {
 public:
  /// Memory of this process that a kernel reads or writes.
  struct Buffer {
    void* begin = nullptr;
    int64_t bytes = 0;
  };

  virtual ~RunnableKernels() = default;

  /// Bytes of scratch memory that the kernel of op `op` needs, and its name.
  virtual int64_t scratchBytes(size_t op) const = 0;
  virtual std::string name(size_t op) const = 0;

  /// Number of the operand to whose buffer the kernel of op `op` writes result
  /// `result`, or KernelProvider::kOwnBuffer.
  virtual int64_t operandOf(size_t op, size_t result) const = 0;

  /// Runs the kernel of op `op` on the buffers of its operands, its results and
  /// its scratch memory, in this order. A result in place has a buffer in the
  /// list too, which the kernel does not use. If the kernel needs no scratch
  /// memory, the list has no buffer for it. Returns "", or a description of the
  /// error.
  virtual std::string run(size_t op, const std::vector<Buffer>& buffers) = 0;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_RUNNABLEKERNELS_H_
