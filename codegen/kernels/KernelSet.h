// The kernels of a program, one per distinct computation.
//
// Two ops share a kernel if they have the same name, attributes and types of
// tensors (kernelKey) and write the same results in place. A kernel that runs
// several ops at once is another kernel than that of a single op. So the number
// of kernels, and the time to compile them, does not grow with the depth of a
// model. KernelSet finds and names the kernels; each target derives a class
// that emits their code.

#ifndef CODEGEN_KERNELS_KERNELSET_H_
#define CODEGEN_KERNELS_KERNELSET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/kernels/KernelBuilder.h"
#include "codegen/plan/KernelProvider.h"
#include "llvm/ADT/DenseMap.h"

namespace sbp {

/// The part of a KernelProvider that is the same for all targets.
class KernelSet : public KernelProvider {
 public:
  FailureOr<int64_t> kernelFor(Operation* op, ArrayRef<int64_t> inPlace = {},
                               int64_t count = 1) override;

  std::vector<std::string> kernelNames() const override { return names_; }

 protected:
  /// References to the first elements of the buffers of one op: of its
  /// operands, its results and its scratch buffer (null if it needs none). A
  /// result that is computed in place has the reference of its operand.
  struct OpBuffers {
    SmallVector<ElementRef> operands, results;
    ElementRef scratch;
  };

  /// A function that divides the arguments of a kernel among the ops that the
  /// kernel runs, and returns the buffers of each op.
  using SplitArguments = llvm::function_ref<SmallVector<OpBuffers>(
      ArrayRef<ElementRef> arguments)>;

  /// Adds the kernel `name`, and returns its functions. It computes `op`, or
  /// several ops like it at once (as many as `splitArguments` returns), and
  /// takes arguments of the types `buffers`: the operands of all ops, their
  /// results, and a scratch buffer if there is one. Called only if the target
  /// has a kernel for `op`.
  virtual SmallVector<Operation*> addKernel(Operation* op, StringRef name,
                                            ArrayRef<BufferType> buffers,
                                            SplitArguments splitArguments) = 0;

 private:
  std::vector<std::string> names_;
  // Index of a kernel by what it computes: key of the op, operands that results
  // are written to, and number of ops at once.
  llvm::DenseMap<Attribute, int64_t> kernels_;
};

}  // namespace sbp

#endif  // CODEGEN_KERNELS_KERNELSET_H_
