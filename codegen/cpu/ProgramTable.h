// The data by which the runtime finds its program (runtime/Abi.h).

#ifndef CODEGEN_CPU_PROGRAMTABLE_H_
#define CODEGEN_CPU_PROGRAMTABLE_H_

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp::cpu {

/// Adds to `module`, which lowerToLlvm has made, the symbols `sbp_plan`, the
/// text `plan`, and `sbp_kernels`, the addresses of `kernels` in this order.
/// The module must define each of them.
void defineProgramTable(mlir::ModuleOp module, llvm::StringRef plan,
                        llvm::ArrayRef<std::string> kernels);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_PROGRAMTABLE_H_
