// Translates a module of kernels to object files, or to LLVM IR or assembly as
// text.

#ifndef CODEGEN_CPU_EMITOBJECT_H_
#define CODEGEN_CPU_EMITOBJECT_H_

#include <string>
#include <vector>

#include "codegen/cpu/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace sbp::cpu {

/// Kind of output.
enum class OutputKind {
  kLlvm,      // optimised LLVM IR as text
  kAssembly,  // the target's assembly as text
  kObject,    // an ELF relocatable file
};

/// Translates `module`, a result of lowerToLlvm, to LLVM IR, optimises it for
/// `target`, and returns the bytes of the output. Fails with a diagnostic if
/// LLVM cannot translate it or cannot write the output.
///
/// The only symbols outside of `module` that an object may refer to are
/// `memcpy`, `memmove` and `memset`. If it needs another one, for example a
/// function of libm, emit() fails with a diagnostic that names the symbol. The
/// symbols are checked for OutputKind::kObject only.
mlir::FailureOr<std::string> emit(mlir::ModuleOp module, const Target& target,
                                  OutputKind kind);

/// Translates `module` as emit() does, but to several objects, each with some
/// of the kernels. The objects are made in parallel on all cores, and must be
/// linked together. Fails as emit() does. The division of kernels among objects
/// depends on `module` alone, so a program for one target has the same bytes
/// wherever it is compiled.
mlir::FailureOr<std::vector<std::string>> emitObjects(mlir::ModuleOp module,
                                                      const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_EMITOBJECT_H_
