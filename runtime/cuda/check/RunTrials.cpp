#include "runtime/cuda/check/RunTrials.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "runtime/cuda/Image.h"
#include "runtime/cuda/Stream.h"
#include "runtime/math/BFloat16.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/Tensor.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Bytes before and after each buffer, and their value. The alignment of
/// buffers stays that of allocations.
constexpr int64_t kGuardBytes = 256;
constexpr char kGuard = '\xa5';

double toleranceOf(plan::ElementType type) {
  return type == plan::ElementType::kBF16 ? 2e-2 : 1e-4;
}

double numberAt(const std::string& bytes, size_t index,
                plan::ElementType type) {
  if (type == plan::ElementType::kBF16) {
    math::BFloat16 number;
    std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
    return number;
  }
  float number = 0;
  std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
  return number;
}

/// Compares the bytes of a buffer with the recorded ones.
void compare(const std::string& ours, const TrialBuffer& buffer,
             const std::string& what, TrialResult& result) {
  if (!buffer.type || !result.fault.empty()) return;
  const plan::ElementType type = *buffer.type;
  if (!plan::isFloat(type)) {
    if (ours != buffer.after) result.fault = what + " differs";
    return;
  }
  const size_t count = ours.size() / plan::byteWidth(type);
  for (size_t i = 0; i < count; ++i) {
    const double mine = numberAt(ours, i, type);
    const double recorded = numberAt(buffer.after, i, type);
    if (mine == recorded || (std::isnan(mine) && std::isnan(recorded)))
      continue;
    const double difference =
        std::abs(mine - recorded) / std::max(1.0, std::abs(recorded));
    if (!(difference <= toleranceOf(type))) {
      result.fault = fmt::format("{}, element {}: {}, but {} is recorded", what,
                                 i, mine, recorded);
      return;
    }
    result.difference = std::max(result.difference, difference);
  }
}

/// Buffers of a trial in memory of the GPU.
class TrialRun {
 public:
  TrialRun(Gpu& gpu, Stream& stream) : gpu_(gpu), stream_(stream) {}
  ~TrialRun() {
    for (Address address : addresses_) gpu_.free(address);
  }

  absl::StatusOr<TrialResult> run(const KernelTrial& trial) {
    TrialResult result;
    result.kernel = trial.name;
    for (const TrialBuffer& buffer : trial.buffers)
      SBP_RETURN_IF_ERROR(upload(buffer));
    std::vector<Address> arguments;
    for (Address address : addresses_)
      arguments.push_back(address + kGuardBytes);
    for (const plan::Launch& launch : trial.launches) {
      SBP_ASSIGN_OR_RETURN(const Function function, gpu_.find(launch.function));
      SBP_RETURN_IF_ERROR(
          stream_.run({function, static_cast<unsigned>(launch.blocks),
                       static_cast<unsigned>(launch.threads)},
                      arguments, trial.name));
    }
    for (size_t i = 0; i < trial.buffers.size(); ++i) {
      std::string& bytes = memory_[i];
      SBP_RETURN_IF_ERROR(stream_.copyToHost(
          bytes.data(), addresses_[i], static_cast<int64_t>(bytes.size())));
    }
    SBP_RETURN_IF_ERROR(wait());
    for (size_t i = 0; i < trial.buffers.size(); ++i)
      check(memory_[i], trial.buffers[i], fmt::format("buffer {}", i), result);
    return result;
  }

 private:
  absl::Status upload(const TrialBuffer& buffer) {
    const std::string guard(kGuardBytes, kGuard);
    memory_.push_back(guard + buffer.before + guard);
    const auto bytes = static_cast<int64_t>(memory_.back().size());
    SBP_ASSIGN_OR_RETURN(addresses_.emplace_back(), gpu_.allocate(bytes));
    SBP_RETURN_IF_ERROR(
        stream_.copyFromHost(addresses_.back(), memory_.back().data(), bytes));
    return wait();
  }

  absl::Status wait() const {
    while (true) {
      SBP_ASSIGN_OR_RETURN(const bool isDone, stream_.isDone());
      if (isDone) return absl::OkStatus();
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  static void check(const std::string& memory, const TrialBuffer& buffer,
                    const std::string& what, TrialResult& result) {
    const auto isGuard = [](char byte) { return byte == kGuard; };
    if (!std::all_of(memory.begin(), memory.begin() + kGuardBytes, isGuard) ||
        !std::all_of(memory.end() - kGuardBytes, memory.end(), isGuard))
      result.fault = what + ": the kernel writes outside it";
    compare(memory.substr(kGuardBytes, memory.size() - 2 * kGuardBytes), buffer,
            what, result);
  }

  Gpu& gpu_;
  Stream& stream_;
  std::vector<std::string> memory_;  // with guards
  std::vector<Address> addresses_;   // likewise
};

}  // namespace

absl::StatusOr<std::vector<TrialResult>> runTrials(Gpu& gpu,
                                                   const KernelTrials& trials) {
  std::vector<Image> images;
  for (const KernelTrials::Code& code : trials.code)
    images.push_back({code.chip, code.ptx});
  SBP_RETURN_IF_ERROR(gpu.load(images));
  SBP_ASSIGN_OR_RETURN(Stream stream, Stream::create(gpu));
  std::vector<TrialResult> results;
  for (const KernelTrial& trial : trials.all) {
    SBP_ASSIGN_OR_RETURN(results.emplace_back(),
                         TrialRun(gpu, stream).run(trial));
  }
  return results;
}

}  // namespace sbp::cuda
