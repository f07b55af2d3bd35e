// The symbols by which the runtime finds the plan and the kernels of a program
// (runtime/Abi.h).

#ifndef CODEGEN_CPU_PROGRAMTABLE_H_
#define CODEGEN_CPU_PROGRAMTABLE_H_

#include <string>

#include "codegen/cpu/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp::cpu {

/// Adds the symbols to `module`, which is a result of lowerToLlvm for `target`
/// and must define each of `kernels`:
///
///   sbp_plan      the text `plan`, terminated by a zero byte
///   sbp_kernels   the addresses of `kernels`, in this order
///   sbp_cpu       LLVM's name of the CPU; the names of the instruction sets
///                 that the kernels may use and the runtime can check; a null
///                 pointer
void defineProgramTable(mlir::ModuleOp module, llvm::StringRef plan,
                        llvm::ArrayRef<std::string> kernels,
                        const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_PROGRAMTABLE_H_
