// The interface between a compiled program and the runtime: four symbols.
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

/// The kernels for CPUs, in the order of Plan::kernels. Empty if the program
/// runs on GPUs.
extern const SbpKernel sbp_kernels[];

/// The CPU for which the kernels were compiled: LLVM's name of this CPU, then
/// the names of the features that kernels may use and the runtime can check
/// (runtime/cpu/Features.h), then a null pointer.
extern const char* const sbp_cpu[];

/// Kernels for GPUs: those of all launches of the plan. `chip` is the oldest
/// chip that runs them ("sm_80"), `code` text in NVIDIA's PTX, terminated by a
/// zero byte.
typedef struct {
  const char* chip;
  const char* code;
} SbpImage;

/// The kernels for GPUs, then an image whose chip is null. Without an image,
/// the program runs on CPUs.
extern const SbpImage sbp_images[];

#ifdef __cplusplus
}
#endif

#endif  // RUNTIME_ABI_H_
