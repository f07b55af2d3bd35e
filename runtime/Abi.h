// The interface between a compiled program and the runtime: four symbols.
//
// The compiler emits object files that define the symbols. The linker joins
// these files with the runtime, which contains `main`. The interface is plain
// C.

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

/// The CPU for which the kernels were compiled: first LLVM's name of this CPU,
/// then the names of those features (runtime/cpu/Features.h) that kernels may
/// use, then a null pointer.
extern const char* const sbp_cpu[];

/// Code for GPUs, with the functions of all launches of the plan
/// (plan::Launch). `chip` is the oldest chip that can run the code, such as
/// "sm_80". `code` is text in NVIDIA's PTX, terminated by a zero byte, or
/// machine code, an ELF file, for GPUs of the chip's generation.
typedef struct {
  const char* chip;
  const char* code;
} SbpImage;

/// The code for GPUs: images, then one whose chip is null, which marks the end.
/// If there is no image before the end, the program runs on CPUs.
extern const SbpImage sbp_images[];

#ifdef __cplusplus
}
#endif

#endif  // RUNTIME_ABI_H_
