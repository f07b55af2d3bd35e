#include "runtime/calibration/DeviceSpeed.h"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "runtime/calibration/PeakFlops.h"
#include "runtime/calibration/RankTimes.h"
#include "runtime/status/Status.h"

namespace sbp::calibration {
namespace {

using communication::Communicator;

/// Larger than a core's own caches and its share of the shared ones.
constexpr int64_t kArrayElements = int64_t{8} << 20;
constexpr int64_t kRepetitions = 7;
constexpr int64_t kRoundsOfFlops = 4'000'000;

/// Returns the seconds that one call of `body` takes.
double secondsOf(const std::function<void()>& body) {
  const double begin = secondsNow();
  body();
  return secondsNow() - begin;
}

/// Runs `body`, which does an amount `amount` of work, on all ranks at once.
/// Returns the rate of the slowest rank, as amount per second: the median over
/// several repetitions.
absl::StatusOr<double> measureRate(Communicator& communicator, double amount,
                                   const std::function<void()>& body) {
  std::vector<double> seconds;
  for (int64_t i = 0; i < kRepetitions; ++i) {
    SBP_RETURN_IF_ERROR(communicator.barrier());
    seconds.push_back(secondsOf(body));
  }
  std::sort(seconds.begin(), seconds.end());
  SBP_ASSIGN_OR_RETURN(
      const std::vector<double> slowest,
      greatestOfRanks(communicator, {seconds[kRepetitions / 2]}));
  return amount / slowest.front();
}

/// Returns the bytes per second that a = b + s c reads and writes.
absl::StatusOr<double> measureBandwidth(Communicator& communicator) {
  std::vector<float> a(kArrayElements, 1), b(kArrayElements, 2),
      c(kArrayElements, 3);
  const double bytes = 3.0 * kArrayElements * sizeof(float);
  return measureRate(communicator, bytes, [&] {
    for (int64_t i = 0; i < kArrayElements; ++i) a[i] = b[i] + 1.5f * c[i];
    asm volatile("" ::"r"(a.data()) : "memory");
  });
}

}  // namespace

absl::StatusOr<DeviceSpeed> measureDevice(Communicator& communicator,
                                          int64_t ranksPerNode) {
  DeviceSpeed speed;
  speed.memoryBytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<double>(sysconf(_SC_PAGESIZE)) /
                      static_cast<double>(ranksPerNode);
  SBP_ASSIGN_OR_RETURN(speed.bytesPerSecond, measureBandwidth(communicator));
  const PeakKernels kernels = peakKernels();
  const auto addRate = [&](const char* type, double flops,
                           const std::function<void()>& body) -> absl::Status {
    SBP_ASSIGN_OR_RETURN(const double rate,
                         measureRate(communicator, flops, body));
    speed.rates.push_back({type, rate, {}});
    return absl::OkStatus();
  };
  SBP_RETURN_IF_ERROR(addRate("f32", kernels.f32FlopsPerRound * kRoundsOfFlops,
                              [&] { kernels.runF32(kRoundsOfFlops); }));
  SBP_RETURN_IF_ERROR(addRate("f64", kernels.f64FlopsPerRound * kRoundsOfFlops,
                              [&] { kernels.runF64(kRoundsOfFlops); }));
  speed.ways =
      "FLOP/s are the peak of a core; memory is the host's, divided by its "
      "ranks.";
  return speed;
}

}  // namespace sbp::calibration
