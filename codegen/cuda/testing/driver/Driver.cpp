// A stand-in for libcuda.so.1, NVIDIA's driver: a program for GPUs that is
// started with the folder of this library in LD_LIBRARY_PATH runs its kernels
// on this CPU. For tests only.
//
// It has the functions that the runtime calls (runtime/cuda/Driver.h). Work in
// streams is done late, in a random order (Streams.h). Processes map each
// other's memory, as they do on one host.
//
// Environment variables choose the properties and the faults of the GPU. RANK
// is the number of a rank on its host:
//
//   SBP_SIM_MEMORY   bytes of memory
//   SBP_SIM_CHIP     compute capability, 90 if it is not set
//   SBP_SIM_GPUS     number of GPUs, which are all alike; 1 if it is not set
//   SBP_SIM_SEED     seed of the times at which streams do their work
//   SBP_SIM_DRIVER   version of CUDA that the driver supports, 13000 if it is
//                    not set; one before 11.0 does not know PTX 7.0
//   SBP_SIM_PEERS    0: processes cannot map each other's memory
//   SBP_SIM_LINKS    links between GPUs (Links.h)
//   SBP_SIM_HANG     RANK:LAUNCH: launch number LAUNCH of rank RANK, counted
//                    from 0, never ends
//   SBP_SIM_EDGE     RANK:EDGE: wait number EDGE of a stream for another stream
//                    on rank RANK, counted from 0, is left out, and the other
//                    stream rests. A line on stderr says so
//   SBP_SIM_ERROR    RANK:LAUNCH: launch number LAUNCH of rank RANK, counted
//                    from 0, accesses memory that does not exist

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "codegen/cuda/testing/driver/Graphs.h"
#include "codegen/cuda/testing/driver/Links.h"
#include "codegen/cuda/testing/driver/Results.h"
#include "codegen/cuda/testing/driver/SimulatedGpu.h"
#include "codegen/cuda/testing/driver/StandIn.h"
#include "codegen/cuda/testing/driver/Streams.h"
#include "fmt/format.h"

using sbp::cuda::driver::Graphs;
using sbp::cuda::driver::Kernel;
using sbp::cuda::driver::LaunchGraph;
using sbp::cuda::driver::numberFrom;
using sbp::cuda::driver::Point;
using sbp::cuda::driver::SimulatedGpu;
using sbp::cuda::driver::Streams;

using namespace sbp::cuda::driver::results;

namespace {

int driverVersion() { return numberFrom("SBP_SIM_DRIVER", 13000); }

Result explain(const absl::Status& status, Result result) {
  if (status.ok()) return kSuccess;
  std::fprintf(stderr, "stand-in driver: %s\n",
               std::string(status.message()).c_str());
  return result;
}

/// Whether `variable` names number `number` of this rank.
bool names(const char* variable, int number) {
  const char* named = std::getenv(variable);
  const char* rank = std::getenv("LOCAL_RANK");
  return named && named == fmt::format("{}:{}", rank ? rank : "0", number);
}

/// Time for which a stream rests after a wait for it has been left out.
constexpr std::chrono::milliseconds kRest(100);

/// The version of CUDA that brought PTX 7.0.
constexpr int kOldestCuda = 11000;

/// The streams of this process, which live as long as it does.
Streams& streams() {
  static Streams* const streams =
      new Streams(numberFrom("SBP_SIM_SEED", 0) + getpid());
  return *streams;
}

/// Handles of streams are their numbers.
int64_t numberOf(void* stream) { return reinterpret_cast<int64_t>(stream); }

/// The graphs of this process, which live as long as it does.
Graphs& graphs() {
  static Graphs* const graphs = new Graphs();
  return *graphs;
}

/// Adds work that can begin at once. Returns the error of earlier work, or an
/// error if the work of the stream is being recorded: only launches are.
int add(void* stream, std::function<int()> run) {
  if (graphs().isRecording(stream)) return kCaptureUnsupported;
  streams().add(numberOf(stream), {[] { return true; }, std::move(run)});
  return streams().error();
}

/// Sets `height` rows of `width` elements to `value`. Rows begin `pitch` bytes
/// apart.
template <typename Element>
int set(uint64_t address, size_t pitch, Element value, size_t width,
        size_t height, void* stream) {
  if (height > 0 && !SimulatedGpu::instance().holds(
                        address, (height - 1) * pitch + width * sizeof value))
    return kInvalidValue;
  return add(stream, [=] {
    for (size_t row = 0; row < height; ++row)
      std::fill_n(reinterpret_cast<Element*>(address + row * pitch), width,
                  value);
    return kSuccess;
  });
}

/// Adds a copy of `bytes` bytes to the work of `stream`.
int copy(void* to, const void* from, size_t bytes, void* stream) {
  return add(stream, [=] {
    std::memcpy(to, from, bytes);
    return kSuccess;
  });
}

template <typename Word>
std::atomic<Word>& wordAt(uint64_t address) {
  return *reinterpret_cast<std::atomic<Word>*>(address);
}

/// CUstreamBatchMemOpParams.
struct MemoryOp {
  enum Kind : unsigned { kWait32 = 1, kWrite32 = 2, kWrite64 = 5 };
  unsigned kind;
  uint64_t address;
  uint64_t value;
  unsigned flags;
  uint64_t alias, padding;
};

}  // namespace

extern "C" {

int standInAddWork(void* stream, bool (*isReady)(void*), int (*run)(void*),
                   void* data) {
  streams().add(numberOf(stream),
                {[=] { return isReady(data); }, [=] { return run(data); }});
  return streams().error();
}

bool standInHolds(uint64_t address, size_t bytes) {
  return SimulatedGpu::instance().holds(address, bytes);
}

int cuDriverGetVersion(int* version) {
  *version = driverVersion();
  return kSuccess;
}

int cuGetErrorName(int result, const char** name) {
  *name = nameOf(result);
  return kSuccess;
}

int cuGetErrorString(int result, const char** text) {
  *text = nameOf(result);
  return kSuccess;
}

int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &SimulatedGpu::instance();
  return kSuccess;
}

int cuCtxSetCurrent(void*) { return kSuccess; }

int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*,
                       void**) {
  // It runs no machine code.
  if (std::strncmp(static_cast<const char*>(image),
                   "\x7f"
                   "ELF",
                   4) == 0)
    return kInvalidImage;
  if (driverVersion() < kOldestCuda) return kUnsupportedPtx;
  *module = &SimulatedGpu::instance();
  return explain(SimulatedGpu::instance().load(static_cast<const char*>(image)),
                 kInvalidImage);
}

int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = SimulatedGpu::instance().find(name);
  return *function ? kSuccess : kNotFound;
}

int cuMemGetInfo_v2(size_t* free, size_t* total) {
  *free = SimulatedGpu::instance().freeBytes();
  *total = SimulatedGpu::instance().totalBytes();
  return kSuccess;
}

int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  *address = SimulatedGpu::instance().allocate(bytes);
  return *address ? kSuccess : kOutOfMemory;
}

int cuMemFree_v2(uint64_t address) {
  streams().finish();  // as on a GPU
  return SimulatedGpu::instance().free(address) ? kSuccess : kInvalidValue;
}

int cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
  *memory = std::malloc(bytes);
  return *memory ? kSuccess : kOutOfMemory;
}

int cuMemFreeHost(void* memory) {
  std::free(memory);
  return kSuccess;
}

int cuMemHostRegister_v2(void*, size_t, unsigned) { return kSuccess; }

int cuMemHostUnregister(void*) { return kSuccess; }

int cuMemHostGetDevicePointer_v2(uint64_t* address, void* memory, unsigned) {
  *address = reinterpret_cast<uint64_t>(memory);
  return kSuccess;
}

int cuIpcGetMemHandle(void* handle, uint64_t address) {
  return SimulatedGpu::instance().share(address, handle) ? kSuccess
                                                         : kInvalidValue;
}

struct IpcHandle {
  char bytes[64];
};

int cuIpcOpenMemHandle_v2(uint64_t* address, IpcHandle handle, unsigned) {
  if (numberFrom("SBP_SIM_PEERS", 1) == 0) return kInvalidContext;
  *address = SimulatedGpu::instance().open(&handle);
  return *address ? kSuccess : kInvalidContext;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes,
                         void* stream) {
  if (!SimulatedGpu::instance().holds(to, bytes)) return kInvalidValue;
  return copy(reinterpret_cast<void*>(to), from, bytes, stream);
}

int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) {
  if (!SimulatedGpu::instance().holds(from, bytes)) return kInvalidValue;
  return copy(to, reinterpret_cast<const void*>(from), bytes, stream);
}

int cuMemsetD8Async(uint64_t address, unsigned char value, size_t count,
                    void* stream) {
  return set(address, 0, value, count, 1, stream);
}

int cuMemsetD16Async(uint64_t address, unsigned short value, size_t count,
                     void* stream) {
  return set(address, 0, value, count, 1, stream);
}

int cuMemsetD32Async(uint64_t address, unsigned value, size_t count,
                     void* stream) {
  return set(address, 0, value, count, 1, stream);
}

int cuMemsetD2D32Async(uint64_t address, size_t pitch, unsigned value,
                       size_t width, size_t height, void* stream) {
  return set(address, pitch, value, width, height, stream);
}

int cuStreamCreate(void** stream, unsigned) {
  *stream = reinterpret_cast<void*>(streams().create());
  return kSuccess;
}

int cuStreamDestroy_v2(void* stream) {
  streams().destroy(numberOf(stream));
  return kSuccess;
}

int cuStreamQuery(void* stream) {
  if (graphs().isRecording(stream)) return kCaptureUnsupported;
  const bool isDone = streams().isDone(numberOf(stream));
  const int error = streams().error();
  return error != 0 ? error : isDone ? kSuccess : kNotReady;
}

int cuStreamBatchMemOp_v2(void* stream, unsigned count, MemoryOp* operations,
                          unsigned) {
  if (graphs().isRecording(stream)) return kCaptureUnsupported;
  for (unsigned i = 0; i < count; ++i) {
    const auto [address, value] =
        std::pair(operations[i].address, operations[i].value);
    switch (operations[i].kind) {
      case MemoryOp::kWait32:
        streams().add(numberOf(stream), {[address = address, value = value] {
                        const uint32_t now = wordAt<uint32_t>(address);
                        return static_cast<int32_t>(
                                   now - static_cast<uint32_t>(value)) >= 0;
                      }});
        break;
      case MemoryOp::kWrite32:
        add(stream, [address = address, value = value] {
          wordAt<uint32_t>(address) = static_cast<uint32_t>(value);
          return kSuccess;
        });
        break;
      case MemoryOp::kWrite64:
        add(stream, [address = address, value = value] {
          wordAt<uint64_t>(address) = value;
          return kSuccess;
        });
        break;
      default:
        return kInvalidValue;
    }
  }
  return streams().error();
}

int cuEventCreate(void** event, unsigned) {
  *event = new Point();
  return kSuccess;
}

int cuEventRecord(void* event, void* stream) {
  if (graphs().isRecording(stream)) return kCaptureUnsupported;
  *static_cast<Point*>(event) = streams().endOf(numberOf(stream));
  return kSuccess;
}

int cuEventDestroy_v2(void* event) {
  delete static_cast<Point*>(event);
  return kSuccess;
}

int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  if (graphs().isRecording(stream)) return kCaptureUnsupported;
  static std::atomic<int> numEdges{0};
  const int edge = numEdges++;
  const Point& point = *static_cast<Point*>(event);
  if (names("SBP_SIM_EDGE", edge)) {
    std::fprintf(stderr, "stand-in driver: wait %d is left out\n", edge);
    streams().rest(point.stream, kRest);
  } else {
    streams().addWait(numberOf(stream), point);
  }
  return kSuccess;
}

int cuLaunchKernel(void* function, unsigned gridX, unsigned, unsigned,
                   unsigned blockX, unsigned, unsigned, unsigned, void* stream,
                   void** parameters, void**) {
  const Kernel& kernel = *static_cast<Kernel*>(function);
  // The parameters are copied when the launch is started.
  std::vector<void*> buffers;
  for (size_t i = 0; i < kernel.numParameters; ++i)
    buffers.push_back(*static_cast<void**>(parameters[i]));
  const auto start = [&kernel, gridX, blockX,
                      buffers = std::move(buffers)](void* to) {
    static std::atomic<int> numLaunches{0};
    const int launch = numLaunches++;
    if (names("SBP_SIM_HANG", launch))
      streams().add(numberOf(to), {[] { return false; }});
    const bool isFaulty = names("SBP_SIM_ERROR", launch);
    return add(to, [&kernel, gridX, blockX, buffers, isFaulty]() -> int {
      if (isFaulty) return kIllegalAddress;
      return explain(
          SimulatedGpu::instance().run(kernel, gridX, blockX, buffers),
          kLaunchFailed);
    });
  };
  return graphs().record(stream, start) ? kSuccess : start(stream);
}

int cuStreamBeginCapture_v2(void* stream, int) {
  return graphs().beginRecording(stream) ? kSuccess : kCaptureUnsupported;
}

int cuStreamEndCapture(void* stream, LaunchGraph** graph) {
  *graph = graphs().endRecording(stream);
  return *graph ? kSuccess : kCaptureInvalidated;
}

int cuGraphInstantiateWithFlags(void** executable, LaunchGraph* graph,
                                unsigned long long) {
  *executable = graphs().instantiate(*graph);
  return kSuccess;
}

int cuGraphLaunch(void* executable, void* stream) {
  return graphs().start(executable, stream, kInvalidValue);
}

int cuGraphDestroy(LaunchGraph* graph) {
  delete graph;
  return kSuccess;
}

int cuGraphExecDestroy(void* executable) {
  return graphs().destroy(executable) ? kSuccess : kInvalidValue;
}

}  // extern "C"
