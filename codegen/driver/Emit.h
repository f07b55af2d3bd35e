// The kinds of output of a compilation.

#ifndef CODEGEN_DRIVER_EMIT_H_
#define CODEGEN_DRIVER_EMIT_H_

namespace sbp {

/// A kind of output. The kinds are in the order in which a compilation makes
/// them. The first five are the forms of the model, in the order of Form
/// (passes/Forms.h).
enum class Emit {
  Logical,
  Differentiated,
  Placed,
  Boxed,
  Local,
  Plan,        // the plan of all ranks, as JSON
  Gpu,         // kernels for GPUs, in MLIR's gpu dialect
  Llvm,        // kernels as LLVM IR; for CPUs, with the plan
  Ptx,         // kernels for GPUs, as text for NVIDIA's assembler
  Assembly,    // kernels for CPUs and the plan, as assembly
  Object,      // the same as an object file
  Executable,  // kernels, plan and runtime: a program
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EMIT_H_
