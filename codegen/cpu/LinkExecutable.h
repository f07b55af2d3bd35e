// Links objects into a program, without a compiler or a linker on the machine.
//
// The linker is lld, called in process. A program is linked from
//
//   start files      of glibc, embedded in the compiler
//   the objects      kernels and tables; the runtime with its `main`
//   libc.so.6        and its dynamic loader: those that this process runs on
//
// So the program needs only a C library where it runs.

#ifndef CODEGEN_CPU_LINKEXECUTABLE_H_
#define CODEGEN_CPU_LINKEXECUTABLE_H_

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"

namespace sbp::cpu {

/// An ELF relocatable file in memory, with a name for error messages.
struct ObjectBytes {
  llvm::StringRef name;
  llvm::StringRef bytes;
};

/// Links `objects` into an executable file at `path`. The file appears whole or
/// not at all: a failure leaves any earlier file at `path` unchanged. Fails,
/// through `emitError`, if `path` is a folder or a device, if the file cannot
/// be written, if this process runs without glibc, or if lld fails, for example
/// because a symbol is missing or defined twice; the error then names the
/// symbol.
///
/// Must not run in two threads at once. The standard output of the whole
/// process is redirected while lld runs.
mlir::LogicalResult linkExecutable(
    llvm::ArrayRef<ObjectBytes> objects, llvm::StringRef path,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LINKEXECUTABLE_H_
