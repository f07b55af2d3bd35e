// The compiled kernels of some ops, which can be run in this process.

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

  /// Bytes of scratch memory, and name, of the kernel of op number `op`.
  virtual int64_t scratchBytes(size_t op) const = 0;
  virtual std::string name(size_t op) const = 0;

  /// Number of the operand to whose buffer the kernel writes result number
  /// `result`, or KernelProvider::kOwnBuffer.
  virtual int64_t operandOf(size_t op, size_t result) const = 0;

  /// Runs the kernel on the buffers of operands, results and scratch memory, in
  /// this order. Returns "", or a description of the error.
  virtual std::string run(size_t op, const std::vector<Buffer>& buffers) = 0;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_RUNNABLEKERNELS_H_
