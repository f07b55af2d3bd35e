// What memory kernels work in, as passes learn it from a code generator.
//
// A kernel may need room beside its operands and results: a product packs
// blocks of them. Passes do not know kernels, and a plan has to fit into memory
// with them. So a code generator leaves with the sbp dialect of a context who
// can be asked; where none has, kernels need nothing.

#ifndef DIALECTS_SBP_KERNELMEMORY_H_
#define DIALECTS_SBP_KERNELMEMORY_H_

#include "dialects/support/LLVM.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectInterface.h"

namespace sbp {

/// Registered with the sbp dialect.
class KernelMemory : public mlir::DialectInterface::Base<KernelMemory> {
 public:
  explicit KernelMemory(mlir::Dialect* dialect) : Base(dialect) {}

  /// Bytes that the kernel of `op`, which works on local tensors, needs beside
  /// its operands and results.
  virtual int64_t workingBytes(Operation* op) const = 0;

  /// Whether that kernel may write result `result` where an operand lies.
  virtual bool mayOverwrite(Operation* op, unsigned result) const = 0;
};

/// Who can be asked in `context`, or null.
const KernelMemory* kernelMemoryOf(MLIRContext* context);

}  // namespace sbp

MLIR_DECLARE_EXPLICIT_TYPE_ID(sbp::KernelMemory)

#endif  // DIALECTS_SBP_KERNELMEMORY_H_
