// The data by which the runtime finds its program (runtime/Abi.h).

#ifndef CODEGEN_CPU_PROGRAMTABLE_H_
#define CODEGEN_CPU_PROGRAMTABLE_H_

#include <string>

#include "codegen/cpu/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp::cpu {

/// Adds to `module`, which lowerToLlvm has made for `target`, the symbols
/// `sbp_plan`, the text `plan`, `sbp_kernels`, the addresses of `kernels` in
/// this order, and `sbp_cpu`, the target and what it needs. The module must
/// define each of the kernels.
void defineProgramTable(mlir::ModuleOp module, llvm::StringRef plan,
                        llvm::ArrayRef<std::string> kernels,
                        const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_PROGRAMTABLE_H_
