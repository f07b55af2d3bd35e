// What a compilation may bring forth.

#ifndef CODEGEN_DRIVER_EMIT_H_
#define CODEGEN_DRIVER_EMIT_H_

namespace sbp {

/// A form as text, the plan, or the code of all ranks, in the order in which a
/// program comes to be.
enum class Emit {
  Logical,
  Differentiated,
  Placed,
  Boxed,
  Local,
  Plan,
  // Of kernels for GPUs:
  Gpu,
  // Of all kernels:
  Llvm,
  // Of kernels for GPUs:
  Ptx,
  // Of kernels for CPUs:
  Assembly,
  Object,
  Executable,
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EMIT_H_
