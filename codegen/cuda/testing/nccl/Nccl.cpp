// A stand-in for libnccl.so.2, for programs that run on the stand-in for
// NVIDIA's driver (codegen/cuda/testing/driver). For tests only.
//
// It has the functions that the runtime calls (runtime/cuda/NcclLibrary.h).
// Ranks exchange data through files (Operations.h), when their streams come to
// it. It is as strict as NCCL may be: a send ends only when the other rank has
// received, and all operations of a group end together. Errors say which ranks
// ask for different things, or wait for others for ever. Environment variables:
//
//   SBP_SIM_NCCL_VERSION   version, 22809 (2.28.9) if it is not set

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/cuda/testing/driver/StandIn.h"
#include "codegen/cuda/testing/nccl/Communicator.h"
#include "codegen/cuda/testing/nccl/Operations.h"
#include "fmt/format.h"

using sbp::nccl::Communicator;
using sbp::nccl::Folder;
using sbp::nccl::Operation;
using sbp::nccl::Request;

namespace {

enum Result : int {
  kSuccess = 0,
  kSystemError = 2,
  kInvalidArgument = 4,
  kInvalidUsage = 5,
};

/// The driver's error of a launch that failed.
constexpr int kLaunchFailed = 719;

/// The first version that lets ranks share a GPU, if a variable says so.
constexpr int kSharesGpus = 23000;

/// Time after which an operation that waits is reported.
constexpr std::chrono::seconds kLongWait(20);

struct UniqueId {
  char bytes[128];
};

thread_local std::string lastError;

int version() {
  const char* text = std::getenv("SBP_SIM_NCCL_VERSION");
  return text ? std::atoi(text) : 22809;
}

int fail(int result, std::string text) {
  lastError = std::move(text);
  return result;
}

/// Returns a function of the stand-in for the driver.
template <typename Function>
Function* inDriver(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return driver ? reinterpret_cast<Function*>(dlsym(driver, name)) : nullptr;
}

bool isOnGpu(const void* memory, size_t bytes) {
  static auto* const holds = inDriver<decltype(standInHolds)>("standInHolds");
  return holds && holds(reinterpret_cast<uint64_t>(memory), bytes);
}

/// The operations of a group in one stream.
class GroupLaunch {
 public:
  void add(std::unique_ptr<Operation> operation) {
    operations_.push_back(std::move(operation));
  }

  bool isReady() {
    if (!isStarted_) {
      for (auto& operation : operations_) operation->start();
      isStarted_ = true;
      since_ = std::chrono::steady_clock::now();
    }
    bool areAll = true;
    for (auto& operation : operations_) {
      if (operation->isReady()) continue;
      areAll = false;
      if (isReported_ || std::chrono::steady_clock::now() < since_ + kLongWait)
        continue;
      isReported_ = true;
      std::fprintf(stderr, "stand-in NCCL: %s waits\n",
                   operation->describe().c_str());
    }
    return areAll;
  }

  int finish() {
    for (auto& operation : operations_)
      if (const std::string fault = operation->finish(); !fault.empty()) {
        std::fprintf(stderr, "stand-in NCCL: %s\n", fault.c_str());
        return kLaunchFailed;
      }
    for (auto& operation : operations_) operation->removeOldFiles();
    for (auto& operation : operations_) operation->keepFile();
    return 0;
  }

 private:
  std::vector<std::unique_ptr<Operation>> operations_;
  bool isStarted_ = false, isReported_ = false;
  std::chrono::steady_clock::time_point since_;
};

/// The group that this thread has begun: its depth, and launches by stream.
thread_local int depth = 0;
thread_local std::map<void*, std::unique_ptr<GroupLaunch>> group;

int startGroup() {
  static auto* const add = inDriver<decltype(standInAddWork)>("standInAddWork");
  int result = kSuccess;
  for (auto& [stream, launch] : group)
    if (add(
            stream,
            [](void* data) {
              return static_cast<GroupLaunch*>(data)->isReady();
            },
            [](void* data) {
              const std::unique_ptr<GroupLaunch> launch(
                  static_cast<GroupLaunch*>(data));
              return launch->finish();
            },
            launch.release()) != 0)
      result = fail(1, "the driver has failed before");
  group.clear();
  return result;
}

int add(Communicator* communicator, const Request& request, size_t sourceBytes,
        size_t targetBytes, void* stream) {
  if (!communicator) return fail(kInvalidArgument, "no communicator");
  if (sbp::nccl::bytesOf(request.type) == 0)
    return fail(kInvalidArgument, "a type that the stand-in does not know");
  if (request.peer >= communicator->size())
    return fail(kInvalidArgument, "no such rank");
  if ((request.source && !isOnGpu(request.source, sourceBytes)) ||
      (request.target && !isOnGpu(request.target, targetBytes)))
    return fail(kInvalidArgument, "memory that is not on the GPU");
  std::unique_ptr<GroupLaunch>& launch = group[stream];
  if (!launch) launch = std::make_unique<GroupLaunch>();
  launch->add(Operation::create(*communicator, request));
  return depth > 0 ? kSuccess : startGroup();
}

Request requestOf(const char* kind, const void* source, void* target,
                  size_t count, int type, int reduction) {
  return {kind,
          static_cast<const std::byte*>(source),
          static_cast<std::byte*>(target),
          count,
          type,
          reduction};
}

}  // namespace

extern "C" {

int ncclGetVersion(int* number) {
  *number = version();
  return kSuccess;
}

int ncclGetUniqueId(UniqueId* id) {
  const std::string path = Folder::create();
  if (path.empty() || path.size() >= sizeof id->bytes)
    return fail(kSystemError, "no folder for temporary files");
  std::memset(id->bytes, 0, sizeof id->bytes);
  path.copy(id->bytes, sizeof id->bytes);
  return kSuccess;
}

int ncclCommInitRankConfig(Communicator** world, int size, UniqueId id,
                           int rank, void*) {
  const char* gpus = std::getenv("SBP_SIM_GPUS");
  const char* localRank = std::getenv("LOCAL_RANK");
  const int gpu = localRank ? std::atoi(localRank) : 0;
  const std::string card =
      fmt::format("GPU {}", gpu % (gpus ? std::atoi(gpus) : 1));
  *world = Communicator::enter(Folder(id.bytes), rank, size, card).release();
  if (!*world) return fail(kSystemError, "a rank has not come");
  const char* mayShare = std::getenv("NCCL_MULTI_RANK_GPU_ENABLE");
  if ((*world)->sharesGpus() &&
      (version() < kSharesGpus || !mayShare || std::atoi(mayShare) == 0))
    return fail(kInvalidUsage, "Duplicate GPU detected");
  return kSuccess;
}

int ncclCommSplit(Communicator* world, int color, int key, Communicator** part,
                  void*) {
  std::unique_ptr<Communicator> made;
  if (!world->split(color, key, made))
    return fail(kSystemError, "a rank has not come to a split");
  *part = made.release();
  return kSuccess;
}

int ncclCommDestroy(Communicator* communicator) {
  if (communicator->isWorld()) communicator->leave();
  delete communicator;
  return kSuccess;
}

const char* ncclGetErrorString(int result) {
  switch (result) {
    case kSuccess:
      return "no error";
    case kSystemError:
      return "unhandled system error";
    case kInvalidArgument:
      return "invalid argument";
    case kInvalidUsage:
      return "invalid usage";
    default:
      return "unhandled cuda error";
  }
}

const char* ncclGetLastError(Communicator*) { return lastError.c_str(); }

int ncclGroupStart() {
  ++depth;
  return kSuccess;
}

int ncclGroupEnd() { return --depth > 0 ? kSuccess : startGroup(); }

int ncclAllReduce(const void* in, void* out, size_t count, int type,
                  int reduction, Communicator* communicator, void* stream) {
  const size_t bytes = count * sbp::nccl::bytesOf(type);
  return add(communicator,
             requestOf("all-reduce", in, out, count, type, reduction), bytes,
             bytes, stream);
}

int ncclAllGather(const void* in, void* out, size_t count, int type,
                  Communicator* communicator, void* stream) {
  const size_t bytes = count * sbp::nccl::bytesOf(type);
  return add(communicator,
             requestOf("all-gather", in, out, count, type, sbp::nccl::kSum),
             bytes, bytes * (communicator ? communicator->size() : 1), stream);
}

int ncclReduceScatter(const void* in, void* out, size_t count, int type,
                      int reduction, Communicator* communicator, void* stream) {
  const size_t bytes = count * sbp::nccl::bytesOf(type);
  return add(communicator,
             requestOf("reduce-scatter", in, out, count, type, reduction),
             bytes * (communicator ? communicator->size() : 1), bytes, stream);
}

int ncclSend(const void* in, size_t count, int type, int peer,
             Communicator* communicator, void* stream) {
  Request request =
      requestOf("send", in, nullptr, count, type, sbp::nccl::kSum);
  request.peer = peer;
  return add(communicator, request, count * sbp::nccl::bytesOf(type), 0,
             stream);
}

int ncclRecv(void* out, size_t count, int type, int peer,
             Communicator* communicator, void* stream) {
  Request request =
      requestOf("receive", nullptr, out, count, type, sbp::nccl::kSum);
  request.peer = peer;
  return add(communicator, request, 0, count * sbp::nccl::bytesOf(type),
             stream);
}

}  // extern "C"
