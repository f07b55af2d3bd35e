// The kinds of output of a compilation.

#ifndef CODEGEN_DRIVER_EMIT_H_
#define CODEGEN_DRIVER_EMIT_H_

namespace sbp {

/// Kind of output: a form as text, the plan as JSON, or code. The kinds for one
/// target are in the order in which they are made.
enum class Emit {
  Logical,
  Differentiated,
  Placed,
  Boxed,
  Local,
  Plan,
  // Kernels for GPUs:
  Gpu,
  // Kernels for CPUs or GPUs:
  Llvm,
  // Kernels for GPUs:
  Ptx,
  // Kernels for CPUs:
  Assembly,
  Object,
  Executable,
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EMIT_H_
