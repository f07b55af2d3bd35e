// Memory that kernels need, as a code generator reports it to passes.
//
// A kernel may need memory in addition to its operands and results: a matrix
// product packs blocks of its operands. This memory counts when a plan has to
// fit into a device, but passes do not know kernels. Therefore a code generator
// registers this interface with the sbp dialect of a context. Without it,
// passes assume that kernels need no additional memory, and that no kernel
// writes a result into the memory of an operand.

#ifndef DIALECTS_SBP_KERNELMEMORY_H_
#define DIALECTS_SBP_KERNELMEMORY_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectInterface.h"

namespace sbp {

/// The interface of a code generator, registered with the sbp dialect.
class KernelMemory : public mlir::DialectInterface::Base<KernelMemory> {
 public:
  explicit KernelMemory(mlir::Dialect* dialect) : Base(dialect) {}

  /// Returns the bytes that the kernel of `op`, an op on local tensors, needs
  /// in addition to the operands and results.
  virtual int64_t workingBytes(Operation* op) const = 0;

  /// Whether the kernel of `op`, an op on local tensors, may write result
  /// number `result` into the memory of some operand.
  virtual bool mayOverwrite(Operation* op, unsigned result) const = 0;
};

/// Returns the interface that is registered in `context`, or null.
const KernelMemory* kernelMemoryOf(MLIRContext* context);

}  // namespace sbp

MLIR_DECLARE_EXPLICIT_TYPE_ID(sbp::KernelMemory)

#endif  // DIALECTS_SBP_KERNELMEMORY_H_
