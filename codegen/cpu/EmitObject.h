// From a module of kernels to what the linker takes.

#ifndef CODEGEN_CPU_EMITOBJECT_H_
#define CODEGEN_CPU_EMITOBJECT_H_

#include <string>
#include <vector>

#include "codegen/cpu/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace sbp::cpu {

enum class OutputKind {
  kLlvm,      // LLVM IR, text, optimised
  kAssembly,  // of the target, text
  kObject,    // an ELF relocatable file
};

/// Translates `module`, which lowerToLlvm has made, optimises it for `target`
/// and returns the bytes of the wanted output.
///
/// An object refers to nothing but `memcpy`, `memmove` and `memset`; code that
/// would need anything else (a function of libm, say) is an error that names
/// it.
mlir::FailureOr<std::string> emit(mlir::ModuleOp module, const Target& target,
                                  OutputKind kind);

/// The same as several objects that belong together, each with some of the
/// kernels, made side by side on all cores. How the kernels are shared among
/// them depends on `module` alone, so that a program is the same wherever it is
/// compiled.
mlir::FailureOr<std::vector<std::string>> emitObjects(mlir::ModuleOp module,
                                                      const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_EMITOBJECT_H_
