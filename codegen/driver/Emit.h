// The kinds of output of a compilation.

#ifndef CODEGEN_DRIVER_EMIT_H_
#define CODEGEN_DRIVER_EMIT_H_

namespace sbp {

/// Kind of output, in the order in which a compilation reaches them. The first
/// five are the forms of the model, in the order of Form (passes/Forms.h).
enum class Emit {
  Logical,
  Differentiated,
  Placed,
  Boxed,
  Local,
  Plan,        // JSON
  Gpu,         // kernels for GPUs, as MLIR
  Llvm,        // kernels for CPUs or GPUs, as LLVM IR
  Ptx,         // kernels for GPUs, as text for NVIDIA's assembler
  Assembly,    // kernels for CPUs, with the plan
  Object,      // the same, assembled
  Executable,  // kernels, plan and runtime: a program for CPUs
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EMIT_H_
