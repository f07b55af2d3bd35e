#include "runtime/cuda/CudaDevice.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "runtime/bytes/Bytes.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Whether a GPU of compute capability `capability`, such as 90, runs code for
/// `chip`: later ones do, but only the same one if the name ends in an a.
bool runs(int capability, std::string_view chip) {
  constexpr std::string_view kPrefix = "sm_";
  int wanted = 0;
  if (chip.substr(0, kPrefix.size()) == kPrefix)
    std::from_chars(chip.data() + kPrefix.size(), chip.data() + chip.size(),
                    wanted);
  return chip.back() == 'a' ? capability == wanted : capability >= wanted;
}

}  // namespace

absl::StatusOr<std::unique_ptr<CudaDevice>> CudaDevice::open(
    int64_t localRank, bool mayShare, const plan::Plan& plan,
    const Image& image, int64_t arenaBytes) {
  SBP_ASSIGN_OR_RETURN(const Driver* const driver, loadDriver());
  std::unique_ptr<CudaDevice> device(new CudaDevice(*driver, plan));
  SBP_RETURN_IF_ERROR(device->openGpu(localRank, mayShare));
  SBP_RETURN_IF_ERROR(device->loadKernels(image));
  SBP_RETURN_IF_ERROR(device->allocate(arenaBytes));
  return device;
}

CudaDevice::~CudaDevice() {
  if (stream_) {
    driver_.streamSynchronize(stream_);
    driver_.streamDestroy(stream_);
  }
  if (arena_) driver_.memFree(arena_);
  if (sums_) driver_.memFree(sums_);
}

absl::Status CudaDevice::openGpu(int64_t localRank, bool mayShare) {
  int count = 0;
  SBP_RETURN_IF_ERROR(
      driver_.check(driver_.deviceGetCount(&count), "cuDeviceGetCount"));
  if (count == 0) return error("NVIDIA's driver shows no GPU");
  if (localRank >= count && count > 1 && !mayShare)
    return error(
        "a rank is number {} of its host, where it sees {} GPUs; start at most "
        "one rank per GPU, or let ranks share GPUs by --share-gpu",
        localRank + 1, count);
  DeviceId gpu = 0;
  SBP_RETURN_IF_ERROR(driver_.check(
      driver_.deviceGet(&gpu, static_cast<int>(localRank % count)),
      "cuDeviceGet"));
  SBP_RETURN_IF_ERROR(nameGpu(gpu));
  Context context = nullptr;
  SBP_RETURN_IF_ERROR(driver_.check(driver_.primaryContextRetain(&context, gpu),
                                    "cuDevicePrimaryCtxRetain"));
  SBP_RETURN_IF_ERROR(
      driver_.check(driver_.contextSetCurrent(context), "cuCtxSetCurrent"));
  return driver_.check(driver_.streamCreate(&stream_, kStreamNonBlocking),
                       "cuStreamCreate");
}

absl::Status CudaDevice::nameGpu(DeviceId gpu) {
  char name[256] = {};
  SBP_RETURN_IF_ERROR(driver_.check(
      driver_.deviceGetName(name, sizeof name, gpu), "cuDeviceGetName"));
  name_ = name;
  int major = 0, minor = 0;
  SBP_RETURN_IF_ERROR(
      driver_.check(driver_.deviceGetAttribute(&major, kAttributeMajor, gpu),
                    "cuDeviceGetAttribute"));
  SBP_RETURN_IF_ERROR(
      driver_.check(driver_.deviceGetAttribute(&minor, kAttributeMinor, gpu),
                    "cuDeviceGetAttribute"));
  capability_ = 10 * major + minor;
  unsigned char uuid[16] = {};
  SBP_RETURN_IF_ERROR(
      driver_.check(driver_.deviceGetUuid(reinterpret_cast<char*>(uuid), gpu),
                    "cuDeviceGetUuid"));
  uuid_ = "GPU-";
  for (unsigned char byte : uuid) uuid_ += fmt::format("{:02x}", byte);
  return absl::OkStatus();
}

std::string CudaDevice::describe() const {
  return fmt::format("{} (sm_{}, {})", name_, capability_, uuid_);
}

absl::Status CudaDevice::loadModule(const Image& image) {
  if (!runs(capability_, image.chip))
    return error(
        "the program is for {}, but this GPU is {}; sbpc --gpu compiles for "
        "another one, sm_80 for any that is supported",
        image.chip, describe());
  char log[4096] = {};
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const Result result = driver_.moduleLoadDataEx(
      &module_, image.text.data(), std::size(options), options, values);
  if (result == kUnsupportedPtx) {
    int version = 0;
    driver_.driverGetVersion(&version);
    return error(
        "NVIDIA's driver supports CUDA {}, which is too old for kernels for "
        "{}; update the driver, or compile with --gpu sm_80",
        driverVersionText(version), image.chip);
  }
  absl::Status loaded = driver_.check(result, "cuModuleLoadDataEx");
  if (loaded.ok() || log[0] == '\0') return loaded;
  return error("{}\n{}", textOf(loaded), log);
}

absl::Status CudaDevice::loadKernels(const Image& image) {
  SBP_RETURN_IF_ERROR(loadModule(image));
  for (const plan::Kernel& kernel : plan_.kernels) {
    std::vector<Launch>& launches = kernels_.emplace_back();
    for (const plan::Launch& planned : kernel.launches) {
      SBP_ASSIGN_OR_RETURN(launches.emplace_back(), find(planned));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<CudaDevice::Launch> CudaDevice::find(
    const plan::Launch& planned) const {
  Launch launch;
  launch.blocks = planned.blocks;
  launch.threads = planned.threads;
  SBP_RETURN_IF_ERROR(driver_.check(
      driver_.moduleGetFunction(&launch.function, module_,
                                planned.function.c_str()),
      fmt::format("cuModuleGetFunction of {}", planned.function).c_str()));
  return launch;
}

absl::Status CudaDevice::allocate(int64_t arenaBytes) {
  const Result result =
      driver_.memAlloc(&arena_, std::max<int64_t>(arenaBytes, 1));
  if (result == kOutOfMemory) {
    size_t free = 0, total = 0;
    driver_.memGetInfo(&free, &total);
    return error(
        "this rank needs {} on its GPU, of which {} of {} are free; sbpc "
        "--memory-limit makes a program that needs less, and so do more ranks",
        bytes::toText(double(arenaBytes)), bytes::toText(double(free)),
        bytes::toText(double(total)));
  }
  SBP_RETURN_IF_ERROR(driver_.check(result, "cuMemAlloc"));
  return clear(0, arenaBytes);
}

absl::Status CudaDevice::start(const Launch& launch, const std::string& what) {
  parameters_.clear();
  for (Address& address : addresses_) parameters_.push_back(&address);
  const Result result = driver_.launchKernel(
      launch.function, launch.blocks, 1, 1, launch.threads, 1, 1,
      /*dynamicSharedBytes=*/0, stream_, parameters_.data(), nullptr);
  if (result == 0) return absl::OkStatus();
  return driver_.check(result,
                       fmt::format("cuLaunchKernel of {}", what).c_str());
}

absl::Status CudaDevice::run(int64_t kernel,
                             absl::Span<const int64_t> buffers) {
  addresses_.clear();
  for (int64_t buffer : buffers) addresses_.push_back(arena_ + buffer);
  for (const Launch& launch : kernels_[kernel])
    SBP_RETURN_IF_ERROR(start(launch, plan_.kernels[kernel].name));
  return absl::OkStatus();
}

absl::Status CudaDevice::reserveSums(int64_t count) {
  if (count <= numSums_) return absl::OkStatus();
  if (sums_)
    SBP_RETURN_IF_ERROR(driver_.check(driver_.memFree(sums_), "cuMemFree"));
  sums_ = 0;
  numSums_ = count;
  return driver_.check(driver_.memAlloc(&sums_, count * sizeof(double)),
                       "cuMemAlloc");
}

absl::StatusOr<double> CudaDevice::sumOfSquares(
    const std::vector<plan::Gradient>& gradients) {
  int64_t count = 0;
  for (const plan::Gradient& gradient : gradients)
    count += gradient.squares->blocks;
  if (count == 0) return 0;
  SBP_RETURN_IF_ERROR(reserveSums(count));
  Address next = sums_;
  for (const plan::Gradient& gradient : gradients) {
    const auto [known, isNew] =
        squares_.try_emplace(gradient.squares->function);
    if (isNew) {
      SBP_ASSIGN_OR_RETURN(known->second, find(*gradient.squares));
    }
    addresses_ = {arena_ + gradient.buffer, next};
    SBP_RETURN_IF_ERROR(start(known->second, known->first));
    next += gradient.squares->blocks * sizeof(double);
  }
  const auto bytes = static_cast<int64_t>(count * sizeof(double));
  SBP_ASSIGN_OR_RETURN(std::byte* const copy, readCopy_.ofSize(bytes));
  SBP_RETURN_IF_ERROR(driver_.check(
      driver_.memcpyToHost(copy, sums_, bytes, stream_), "cuMemcpyDtoHAsync"));
  SBP_RETURN_IF_ERROR(wait());
  const auto* sums = reinterpret_cast<const double*>(copy);
  return std::accumulate(sums, sums + count, 0.0);
}

absl::Status CudaDevice::clear(int64_t buffer, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  return driver_.check(driver_.memsetBytes(arena_ + buffer, 0, bytes, stream_),
                       "cuMemsetD8Async");
}

absl::Status CudaDevice::setNumber(int64_t buffer, int64_t number) {
  // The number travels in the calls, so that no host memory must live on.
  const auto bits = static_cast<uint64_t>(number);
  SBP_RETURN_IF_ERROR(driver_.check(
      driver_.memsetWords(arena_ + buffer, static_cast<uint32_t>(bits), 1,
                          stream_),
      "cuMemsetD32Async"));
  return driver_.check(
      driver_.memsetWords(arena_ + buffer + sizeof(uint32_t),
                          static_cast<uint32_t>(bits >> 32), 1, stream_),
      "cuMemsetD32Async");
}

absl::Status CudaDevice::wait() {
  return driver_.check(driver_.streamSynchronize(stream_),
                       "cuStreamSynchronize");
}

absl::Status CudaDevice::read(int64_t offset, int64_t bytes,
                              device::ReadBytes use) {
  SBP_ASSIGN_OR_RETURN(std::byte* const copy, readCopy_.ofSize(bytes));
  if (bytes > 0)
    SBP_RETURN_IF_ERROR(driver_.check(
        driver_.memcpyToHost(copy, arena_ + offset, bytes, stream_),
        "cuMemcpyDtoHAsync"));
  SBP_RETURN_IF_ERROR(wait());
  return use(copy);
}

absl::Status CudaDevice::write(int64_t offset, int64_t bytes,
                               device::WriteBytes fill) {
  SBP_ASSIGN_OR_RETURN(std::byte* const copy, writeCopy_.ofSize(bytes));
  SBP_RETURN_IF_ERROR(fill(copy));
  if (bytes == 0) return absl::OkStatus();
  SBP_RETURN_IF_ERROR(driver_.check(
      driver_.memcpyToDevice(arena_ + offset, copy, bytes, stream_),
      "cuMemcpyHtoDAsync"));
  return wait();  // the copy is used again
}

}  // namespace sbp::cuda
