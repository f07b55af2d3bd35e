// The interface between a compiled program and the runtime: three symbols.
//
// The compiler emits object files that define them; the linker joins these with
// the runtime, which holds `main`. The interface is plain C.

#ifndef RUNTIME_ABI_H_
#define RUNTIME_ABI_H_

#ifdef __cplusplus
extern "C" {
#endif

/// A kernel. `buffers` holds the addresses of the buffers of the task that runs
/// it, in the order of KernelTask::buffers (runtime/plan/Tasks.h). A kernel
/// accesses no other tensors and keeps nothing between calls, so several
/// threads may run it at the same time on different buffers.
typedef void (*SbpKernel)(void* const* buffers);

/// The plan (runtime/plan/Plan.h) as JSON text, terminated by a zero byte.
extern const char sbp_plan[];

/// The kernels, in the order of Plan::kernels.
extern const SbpKernel sbp_kernels[];

/// The CPU for which the kernels were compiled: LLVM's name of this CPU, then
/// the names of the features that kernels may use and the runtime can check
/// (runtime/cpu/Features.h), then a null pointer.
extern const char* const sbp_cpu[];

#ifdef __cplusplus
}
#endif

#endif  // RUNTIME_ABI_H_
