#include "runtime/cuda/Gpu.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "runtime/bytes/Bytes.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Whether a GPU of compute capability `capability`, such as 90, runs `image`.
/// PTX for sm_80 runs on capability 80 and all later ones, machine code for
/// sm_80 on capabilities 80 to 89, and both for sm_90a on capability 90 only.
bool runs(int capability, const Image& image) {
  const std::string_view chip = image.chip;
  constexpr std::string_view kPrefix = "sm_";
  int wanted = 0;
  if (chip.substr(0, kPrefix.size()) == kPrefix)
    std::from_chars(chip.data() + kPrefix.size(), chip.data() + chip.size(),
                    wanted);
  if (chip.back() == 'a') return capability == wanted;
  const bool isOfGeneration = capability / 10 == wanted / 10;
  return capability >= wanted && (isOfGeneration || !image.isMachineCode());
}

}  // namespace

absl::StatusOr<std::unique_ptr<Gpu>> Gpu::open(int64_t localRank,
                                               bool mayShare) {
  const absl::StatusOr<const Driver*> loaded = loadDriver();
  if (!loaded.ok())
    return error("this program runs on GPUs, but {}", textOf(loaded.status()));
  const Driver& driver = **loaded;
  int count = 0;
  SBP_RETURN_IF_ERROR(
      driver.check(driver.deviceGetCount(&count), "cuDeviceGetCount"));
  if (count == 0) return error("NVIDIA's driver shows no GPU");
  if (localRank >= count && count > 1 && !mayShare)
    return error(
        "a rank is number {} of its host, where it sees {} GPUs; start at most "
        "one rank per GPU, or let ranks share GPUs by --share-gpu",
        localRank + 1, count);
  std::unique_ptr<Gpu> gpu(new Gpu(driver));
  SBP_RETURN_IF_ERROR(driver.check(
      driver.deviceGet(&gpu->device_, static_cast<int>(localRank % count)),
      "cuDeviceGet"));
  SBP_RETURN_IF_ERROR(gpu->readName());
  SBP_RETURN_IF_ERROR(
      driver.check(driver.primaryContextRetain(&gpu->context_, gpu->device_),
                   "cuDevicePrimaryCtxRetain"));
  SBP_RETURN_IF_ERROR(gpu->makeCurrent());
  return gpu;
}

absl::Status Gpu::makeCurrent() const {
  return driver_.check(driver_.contextSetCurrent(context_), "cuCtxSetCurrent");
}

absl::Status Gpu::readName() {
  char name[256] = {};
  SBP_RETURN_IF_ERROR(driver_.check(
      driver_.deviceGetName(name, sizeof name, device_), "cuDeviceGetName"));
  name_ = name;
  int major = 0, minor = 0;
  for (auto [attribute, value] :
       {std::pair(kAttributeMajor, &major), std::pair(kAttributeMinor, &minor)})
    SBP_RETURN_IF_ERROR(
        driver_.check(driver_.deviceGetAttribute(value, attribute, device_),
                      "cuDeviceGetAttribute"));
  capability_ = 10 * major + minor;
  unsigned char uuid[16] = {};
  SBP_RETURN_IF_ERROR(driver_.check(
      driver_.deviceGetUuid(reinterpret_cast<char*>(uuid), device_),
      "cuDeviceGetUuid"));
  uuid_ = "GPU-";
  for (unsigned char byte : uuid) uuid_ += fmt::format("{:02x}", byte);
  return absl::OkStatus();
}

std::string Gpu::describe() const {
  return fmt::format("{} (sm_{}, {})", name_, capability_, uuid_);
}

absl::Status Gpu::load(const std::vector<Image>& images) {
  absl::Status first;
  std::vector<std::string_view> chips;
  for (const Image& image : images) {
    if (chips.empty() || chips.back() != image.chip)
      chips.push_back(image.chip);
    if (!runs(capability_, image)) continue;
    const absl::Status loaded = load(image);
    if (loaded.ok()) return loaded;
    // The same chip has PTX too, which an older driver may take.
    if (first.ok() && !image.isMachineCode()) first = loaded;
  }
  if (!first.ok()) return first;
  return error(
      "the program is for {}, but this GPU is {}; sbpc --gpu compiles for "
      "another one, sm_80 for any that is supported",
      fmt::join(chips, " and "), describe());
}

absl::Status Gpu::load(const Image& image) {
  char log[4096] = {};
  int options[] = {kJitErrorLogBuffer, kJitErrorLogBufferBytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const Result result = driver_.moduleLoadDataEx(
      &module_, image.code.data(), std::size(options), options, values);
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

absl::StatusOr<Function> Gpu::find(const std::string& name) const {
  Function function = nullptr;
  SBP_RETURN_IF_ERROR(
      driver_.check(driver_.moduleGetFunction(&function, module_, name.c_str()),
                    fmt::format("cuModuleGetFunction of {}", name).c_str()));
  return function;
}

bool Gpu::canWaitForMemory() const {
  int can = 0;
  return driver_.streamBatchMemOp &&
         driver_.deviceGetAttribute(&can, kAttributeStreamMemoryOps, device_) ==
             0 &&
         can != 0;
}

absl::StatusOr<Address> Gpu::allocate(int64_t bytes) const {
  Address address = 0;
  const Result result = driver_.memAlloc(&address, std::max<int64_t>(bytes, 1));
  if (result == kOutOfMemory) {
    size_t free = 0, total = 0;
    driver_.memGetInfo(&free, &total);
    return absl::ResourceExhaustedError(
        fmt::format("{} on its GPU, of which {} of {} are free",
                    bytes::toText(double(bytes)), bytes::toText(double(free)),
                    bytes::toText(double(total))));
  }
  SBP_RETURN_IF_ERROR(driver_.check(result, "cuMemAlloc"));
  return address;
}

void Gpu::free(Address address) const {
  if (address && !isAbandoned_) driver_.memFree(address);
}

}  // namespace sbp::cuda
