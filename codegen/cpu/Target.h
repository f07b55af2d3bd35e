// The CPU that kernels are generated for.
//
// Generated code runs on one machine and is compiled on, perhaps, another. What
// the kernels need to know of it is little: which instructions there are, how
// many bytes a vector register holds, and how much the caches next to a core
// hold. A name like "skylake-avx512" or "x86-64-v3" stands for all of that;
// "host" is the machine that the compiler itself runs on.

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

struct Target {
  std::string triple;    // "x86_64-pc-linux-gnu"
  std::string cpu;       // LLVM's name: "znver5"
  std::string features;  // LLVM's list: "+avx512f,-sse4a,..."

  int64_t vectorBytes = 16;              // of one vector register
  bool hasFusedMultiplyAdd = false;      // in hardware, at vector width
  int64_t firstCacheBytes = 32 << 10;    // level 1, data
  int64_t secondCacheBytes = 512 << 10;  // level 2, of one core

  /// Lanes of a vector register for elements of `elementBytes`.
  int64_t lanes(int64_t elementBytes) const {
    return vectorBytes / elementBytes;
  }
};

/// The CPU called `name`. Fails, through `emitError`, if LLVM knows no CPU of
/// that name, or if it is an x86 older than x86-64-v2.
mlir::FailureOr<Target> lookUpTarget(
    llvm::StringRef name,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// LLVM's code generator for `target`; position-independent code at O2.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_TARGET_H_
