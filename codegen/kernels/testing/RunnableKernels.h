// Kernels of some ops, which can be run in this process.

#ifndef CODEGEN_KERNELS_TESTING_RUNNABLEKERNELS_H_
#define CODEGEN_KERNELS_TESTING_RUNNABLEKERNELS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sbp {

class RunnableKernels {
 public:
  struct Buffer {
    void* begin = nullptr;
    int64_t bytes = 0;
  };

  virtual ~RunnableKernels() = default;

  /// Of the kernel of op number `op`.
  virtual int64_t scratchBytes(size_t op) const = 0;
  virtual std::string name(size_t op) const = 0;

  /// The operand in whose buffer it writes result number `result`, or
  /// KernelProvider::kOwnBuffer.
  virtual int64_t operandOf(size_t op, size_t result) const = 0;

  /// Runs it on the buffers of operands, results and scratch memory. What was
  /// wrong, or "".
  virtual std::string run(size_t op, const std::vector<Buffer>& buffers) = 0;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_RUNNABLEKERNELS_H_
