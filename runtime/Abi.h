// The interface between a compiled program and the runtime: three symbols.
//
// The compiler emits one object file that defines them; the linker joins it
// with the runtime, which holds `main`. All of it is plain C.

#ifndef RUNTIME_ABI_H_
#define RUNTIME_ABI_H_

#ifdef __cplusplus
extern "C" {
#endif

/// A kernel. `buffers` are the addresses of its task's buffers, in the order of
/// KernelTask::buffers (runtime/plan/Plan.h). It accesses no other memory and
/// has no state, so several threads may run it at the same time.
typedef void (*SbpKernel)(void* const* buffers);

/// The plan (runtime/plan/Plan.h) as JSON text, terminated by a zero byte.
extern const char sbp_plan[];

/// The kernels, in the order of Plan::kernels.
extern const SbpKernel sbp_kernels[];

/// The CPU for which the kernels were compiled: LLVM's name of it, then the
/// names of the features that it must have (runtime/cpu/Features.h), then a
/// null pointer.
extern const char* const sbp_cpu[];

#ifdef __cplusplus
}
#endif

#endif  // RUNTIME_ABI_H_
