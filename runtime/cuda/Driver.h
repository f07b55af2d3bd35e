// The functions of NVIDIA's driver that the runtime calls, loaded at run time.
//
// A compiled program depends only on libc. A program for GPUs loads libcuda,
// which comes with the driver. The declarations are written here, so that no
// part of CUDA is needed to build the runtime.

#ifndef RUNTIME_CUDA_DRIVER_H_
#define RUNTIME_CUDA_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::cuda {

using Result = int;        // CUresult; 0: success
using DeviceId = int;      // CUdevice
using Address = uint64_t;  // CUdeviceptr
using Context = struct CUctx_st*;
using Module = struct CUmod_st*;
using Function = struct CUfunc_st*;
using StreamHandle = struct CUstream_st*;
using EventHandle = struct CUevent_st*;
using Graph = struct CUgraph_st*;
using ExecutableGraph = struct CUgraphExec_st*;

/// Attributes of a device (CUdevice_attribute).
inline constexpr int kAttributeClock = 13;  // kHz
inline constexpr int kAttributeMultiprocessors = 16;
inline constexpr int kAttributeMemoryClock = 36;     // kHz
inline constexpr int kAttributeMemoryBusWidth = 37;  // bits
inline constexpr int kAttributeMajor = 75;  // of the compute capability
inline constexpr int kAttributeMinor = 76;
/// Whether streams can write and wait for words of 64 bits in memory.
inline constexpr int kAttributeStreamMemoryOps = 122;

/// Attributes of two devices (CUdevice_P2PAttribute): whether one can access
/// the memory of the other, and whether it can do so by atomic operations.
inline constexpr int kPeerAccess = 2;
inline constexpr int kPeerAtomics = 3;

/// Options of cuModuleLoadDataEx (CUjit_option).
inline constexpr int kJitErrorLogBuffer = 5;
inline constexpr int kJitErrorLogBufferBytes = 6;

/// Flag of cuStreamCreate: the stream does not wait for work in the default
/// stream.
inline constexpr unsigned kStreamNonBlocking = 1;

/// Flag of cuEventCreate: the event only orders work, and does not record a
/// time.
inline constexpr unsigned kEventWithoutTime = 2;

/// Mode of cuStreamBeginCapture: calls of other threads do not disturb the
/// recording.
inline constexpr int kCaptureOfThread = 1;

/// Flags of cuMemHostRegister: the memory is pinned for all contexts, and the
/// GPU can address it.
inline constexpr unsigned kHostPortable = 1;
inline constexpr unsigned kHostMapped = 2;

/// Flag of cuIpcOpenMemHandle: the memory is made accessible even if it is that
/// of another GPU.
inline constexpr unsigned kIpcPeerAccess = 1;

/// Results that the runtime distinguishes (CUresult).
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kUnsupportedPtx = 222;
inline constexpr Result kNotReady = 600;

/// A handle by which another process maps memory of a GPU (CUipcMemHandle).
struct IpcHandle {
  char bytes[64] = {};
};

/// An operation in a stream that writes a word in memory, or waits until a word
/// has a value (CUstreamBatchMemOpParams).
struct alignas(8) MemoryOp {
  enum Kind : unsigned { kWait32 = 1, kWrite32 = 2, kWrite64 = 5 };
  unsigned kind = kWrite32;
  Address address = 0;
  uint64_t value = 0;
  /// 0: a wait ends when int32(word - value) >= 0. A write takes effect after
  /// all writes of earlier work of the stream.
  unsigned flags = 0;
  Address alias = 0;
  uint64_t padding = 0;
};
static_assert(sizeof(MemoryOp) == 48);

/// Maximum number of operations in one call of cuStreamBatchMemOp.
inline constexpr size_t kMostMemoryOps = 256;

/// Pointers to the functions of libcuda.
struct Driver {
  Result (*init)(unsigned flags);
  Result (*driverGetVersion)(int* version);
  Result (*getErrorName)(Result, const char** name);
  Result (*getErrorString)(Result, const char** text);
  Result (*deviceGetCount)(int* count);
  Result (*deviceGet)(DeviceId*, int ordinal);
  Result (*deviceGetName)(char* name, int bytes, DeviceId);
  Result (*deviceGetUuid)(char uuid[16], DeviceId);
  Result (*deviceGetAttribute)(int* value, int attribute, DeviceId);
  Result (*deviceGetPeerAttribute)(int* value, int attribute, DeviceId from,
                                   DeviceId to);
  Result (*deviceGetPciBusId)(char* id, int bytes, DeviceId);
  Result (*deviceTotalMem)(size_t* bytes, DeviceId);
  Result (*primaryContextRetain)(Context*, DeviceId);
  Result (*contextSetCurrent)(Context);
  Result (*moduleLoadDataEx)(Module*, const void* image, unsigned numOptions,
                             int* options, void** values);
  Result (*moduleGetFunction)(Function*, Module, const char* name);
  Result (*memGetInfo)(size_t* free, size_t* total);
  Result (*memAlloc)(Address*, size_t bytes);
  Result (*memFree)(Address);
  Result (*memHostAlloc)(void** memory, size_t bytes, unsigned flags);
  Result (*memFreeHost)(void* memory);
  Result (*memHostRegister)(void* memory, size_t bytes, unsigned flags);
  Result (*memHostUnregister)(void* memory);
  Result (*memcpyToDevice)(Address to, const void* from, size_t bytes,
                           StreamHandle);
  Result (*memcpyToHost)(void* to, Address from, size_t bytes, StreamHandle);
  Result (*memsetBytes)(Address, unsigned char value, size_t count,
                        StreamHandle);
  Result (*memsetHalves)(Address, unsigned short value, size_t count,
                         StreamHandle);
  Result (*memsetWords)(Address, unsigned value, size_t count, StreamHandle);
  Result (*memsetRows)(Address, size_t pitch, unsigned value, size_t width,
                       size_t height, StreamHandle);
  Result (*memHostGetDevicePointer)(Address*, void* memory, unsigned flags);
  Result (*ipcGetMemHandle)(IpcHandle*, Address);
  Result (*ipcOpenMemHandle)(Address*, IpcHandle, unsigned flags);
  Result (*streamCreate)(StreamHandle*, unsigned flags);
  Result (*streamDestroy)(StreamHandle);
  Result (*streamQuery)(StreamHandle);
  Result (*streamWaitEvent)(StreamHandle, EventHandle, unsigned flags);
  Result (*eventCreate)(EventHandle*, unsigned flags);
  Result (*eventRecord)(EventHandle, StreamHandle);
  Result (*eventDestroy)(EventHandle);
  Result (*launchKernel)(Function, unsigned gridX, unsigned gridY,
                         unsigned gridZ, unsigned blockX, unsigned blockY,
                         unsigned blockZ, unsigned dynamicSharedBytes,
                         StreamHandle, void** parameters, void** extra);

  Result (*streamBeginCapture)(StreamHandle, int mode);
  Result (*streamEndCapture)(StreamHandle, Graph*);
  Result (*graphLaunch)(ExecutableGraph, StreamHandle);
  Result (*graphDestroy)(Graph);
  Result (*graphExecDestroy)(ExecutableGraph);

  /// Null if the driver is older than CUDA 11.4.
  Result (*graphInstantiate)(ExecutableGraph*, Graph, unsigned long long flags);
  /// Null if the driver is older than CUDA 11.7.
  Result (*streamBatchMemOp)(StreamHandle, unsigned count, MemoryOp*,
                             unsigned flags);

  /// Returns OK if `result` is success. Otherwise returns an error that names
  /// the function `call` and has the driver's name, number and description of
  /// `result`. It also says whether the function itself has failed or earlier
  /// work on the GPU.
  absl::Status check(Result result, const char* call) const;
};

/// Loads libcuda, once per process, and initialises it. The result lives as
/// long as the process. Fails if there is no driver, or the driver is too old
/// or finds no GPU.
absl::StatusOr<const Driver*> loadDriver();

/// Returns a version of the driver as text: 13000 is "13.0".
std::string driverVersionText(int version);

}  // namespace sbp::cuda

#endif  // RUNTIME_CUDA_DRIVER_H_
