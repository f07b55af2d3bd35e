// The CPU that kernels are generated for.
//
// A program may run on another machine than the one that compiles it. Kernels
// depend on few properties of the CPU: its instruction sets, the size of a
// vector register, and the sizes of the caches next to a core. A name such as
// "skylake-avx512" or "x86-64-v3" stands for the first two; the sizes of the
// caches are then typical ones. The name "host" stands for all properties of
// the machine that the compiler itself runs on.

#ifndef CODEGEN_CPU_TARGET_H_
#define CODEGEN_CPU_TARGET_H_

#include <cstdint>
#include <memory>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"

namespace llvm {
class TargetMachine;
}  // namespace llvm

namespace sbp::cpu {

/// A CPU with the properties that code generation uses.
struct Target {
  std::string triple;    // "x86_64-pc-linux-gnu"
  std::string cpu;       // LLVM's name: "znver5"
  std::string features;  // LLVM's list: "+avx512f,-sse4a,..."

  int64_t vectorBytes = 16;  // size of the vector registers that kernels use
  bool hasFusedMultiplyAdd = false;  // in hardware, on vectors
  // Sizes of the level 1 data cache and of the level 2 cache of one core. For
  // "host" they are the sizes of this machine, if the C library reports them;
  // otherwise they are the values below.
  int64_t firstCacheBytes = 32 << 10;
  int64_t secondCacheBytes = 512 << 10;

  /// Returns the lanes of a vector register for elements of `elementBytes`
  /// bytes.
  int64_t lanes(int64_t elementBytes) const {
    return vectorBytes / elementBytes;
  }
};

/// Returns the CPU called `name`, of the architecture and operating system of
/// this machine; "host" is this machine's own CPU. Fails, through `emitError`,
/// if LLVM knows no CPU of that name, or if the CPU is an x86 without SSE4.1,
/// which x86-64-v2 has.
mlir::FailureOr<Target> lookUpTarget(
    llvm::StringRef name,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Returns the oldest CPU of this machine's architecture that lookUpTarget()
/// accepts: any CPU of this architecture runs code for it.
mlir::FailureOr<Target> lookUpOldestTarget(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Returns LLVM's code generator for `target`, for position-independent code at
/// the default optimisation level.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_TARGET_H_
