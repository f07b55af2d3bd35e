// The symbols in which the runtime finds its program (runtime/Abi.h).

#ifndef CODEGEN_CPU_PROGRAMTABLE_H_
#define CODEGEN_CPU_PROGRAMTABLE_H_

#include <string>

#include "codegen/cpu/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp::cpu {

/// Adds the symbols to `module`, a result of lowerToLlvm for `target`, which
/// must define each of `kernels`: `sbp_plan` is the text `plan`, `sbp_kernels`
/// has the addresses of `kernels` in this order, and `sbp_cpu` has the name of
/// the CPU, then the instruction sets that the kernels may use and the runtime
/// can check, then a null pointer.
void defineProgramTable(mlir::ModuleOp module, llvm::StringRef plan,
                        llvm::ArrayRef<std::string> kernels,
                        const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_PROGRAMTABLE_H_
