// What a compiled program and the runtime call each other by: four symbols.
//
// The compiler emits one object file that defines them; the linker joins it
// with the runtime, which holds `main`. Nothing here may need C++.

#ifndef RUNTIME_ABI_H_
#define RUNTIME_ABI_H_

#ifdef __cplusplus
extern "C" {
#endif

/// A kernel: reads and writes the buffers that its task names, and nothing
/// else. It has no state, so ranks may run it at the same time as threads.
typedef void (*SbpKernel)(void* const* buffers);

/// The plan (runtime/plan/Plan.h), a JSON text that ends with a zero byte.
extern const char sbp_plan[];

/// The kernels, in the order of Plan::kernels.
extern const SbpKernel sbp_kernels[];

/// The CPU that the kernels are for: LLVM's name of it, the names of what it
/// must have (runtime/cpu/Features.h), and null.
extern const char* const sbp_cpu[];

#ifdef __cplusplus
}
#endif

#endif  // RUNTIME_ABI_H_
