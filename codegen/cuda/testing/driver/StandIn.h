// What the stand-in for NVIDIA's driver offers to the stand-in for NCCL, which
// finds these functions in the driver's library by name.

#ifndef CODEGEN_CUDA_TESTING_DRIVER_STANDIN_H_
#define CODEGEN_CUDA_TESTING_DRIVER_STANDIN_H_

#include <cstddef>
#include <cstdint>

extern "C" {

/// Adds work to a stream. Once all earlier work of the stream has been done,
/// `isReady` is called again and again until it returns true, and then `run`,
/// which returns an error of the driver, or 0. Both get `data`.
int standInAddWork(void* stream, bool (*isReady)(void*), int (*run)(void*),
                   void* data);

/// Whether the `bytes` bytes from `address` on all lie in memory of the GPU.
bool standInHolds(uint64_t address, size_t bytes);

}  // extern "C"

#endif  // CODEGEN_CUDA_TESTING_DRIVER_STANDIN_H_
