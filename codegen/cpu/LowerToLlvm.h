// Lowers kernels from loops over buffers to LLVM's dialect.
//
// A kernel is a public `func.func` on memrefs of static shape, with one
// argument per buffer of its task and no result:
//
//   func.func @add(%a: memref<4xf32>, %b: memref<4xf32>, %out: memref<4xf32>)
//
// The runtime calls the kernel as `void add(void* const* buffers)`
// (runtime/Abi.h). So its body becomes a function @add_body of bare pointers,
// with internal linkage, and @add becomes a wrapper that loads the pointers and
// calls @add_body. Attributes on the body's arguments state what the compiler
// guarantees: buffers are aligned, and memory that is written through one
// argument is accessed through no other (noalias). A kernel that works in place
// has two arguments for the same buffer, but accesses the buffer only through
// the argument of the operand; the argument of the result is unused.

#ifndef CODEGEN_CPU_LOWERTOLLVM_H_
#define CODEGEN_CPU_LOWERTOLLVM_H_

#include "codegen/cpu/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace sbp::cpu {

/// Alignment of every buffer, in bytes; the same as plan::kBufferAlignment.
inline constexpr int64_t kBufferAlignment = 64;

/// Rewrites `module`, kernels in the func, linalg, vector, scf, memref, arith
/// and math dialects, into the LLVM dialect with target triple and data layout.
/// Fails with a diagnostic at an op that has no lowering.
mlir::LogicalResult lowerToLlvm(mlir::ModuleOp module, const Target& target);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWERTOLLVM_H_
