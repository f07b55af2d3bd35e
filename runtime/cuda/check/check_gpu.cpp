// Checks the GPU of this machine, for tools/check-gpu.
//
//   check_gpu describe          the driver and the GPU
//   check_gpu costs             what operations cost (Costs.h)
//   check_gpu kernels FILE...   runs recorded kernels (RunTrials.h)
//
// Prints a JSON object per line; one with "ok" is a check. Exits with 1 if a
// check or a call of the driver fails.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/cuda/Driver.h"
#include "runtime/cuda/Gpu.h"
#include "runtime/cuda/check/Costs.h"
#include "runtime/cuda/check/KernelTrials.h"
#include "runtime/cuda/check/RunTrials.h"
#include "runtime/json/Cursor.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

void print(const json::Value& value) {
  std::printf("%s\n", value.dump().c_str());
  std::fflush(stdout);
}

absl::Status describe(const Gpu& gpu) {
  int version = 0;
  gpu.driver().driverGetVersion(&version);
  size_t free = 0, total = 0;
  gpu.driver().memGetInfo(&free, &total);
  print({{"check", "driver"},
         {"ok", true},
         {"gpu", gpu.describe()},
         {"cuda", driverVersionText(version)},
         {"memory", total},
         {"free", free},
         {"waits_for_memory", gpu.canWaitForMemory()}});
  return absl::OkStatus();
}

absl::Status showCosts(Gpu& gpu) {
  SBP_ASSIGN_OR_RETURN(const std::vector<Cost> costs, measureCosts(gpu));
  for (const Cost& cost : costs)
    print({{"cost", cost.what}, {"value", cost.value}, {"unit", cost.unit}});
  print({{"check", "costs"}, {"ok", true}});
  return absl::OkStatus();
}

absl::Status runKernels(Gpu& gpu, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    SBP_ASSIGN_OR_RETURN(const KernelTrials trials, KernelTrials::read(file));
    SBP_ASSIGN_OR_RETURN(const std::vector<TrialResult> results,
                         runTrials(gpu, trials));
    int64_t numRight = 0;
    double largest = 0;
    for (const TrialResult& result : results) {
      largest = std::max(largest, result.difference);
      numRight += result.fault.empty() ? 1 : 0;
      if (!result.fault.empty())
        print({{"fault", result.fault}, {"kernel", result.kernel}});
    }
    const auto count = static_cast<int64_t>(results.size());
    print({{"check", "kernels of " + trials.name},
           {"ok", numRight == count},
           {"right", numRight},
           {"of", count},
           {"largest_difference", largest}});
  }
  return absl::OkStatus();
}

absl::Status run(const std::vector<std::string>& words) {
  SBP_ASSIGN_OR_RETURN(const std::unique_ptr<Gpu> gpu,
                       Gpu::open(/*localRank=*/0, /*mayShare=*/true));
  const std::string what = words.empty() ? "" : words.front();
  if (what == "describe") return describe(*gpu);
  if (what == "costs") return showCosts(*gpu);
  if (what == "kernels")
    return runKernels(*gpu, {words.begin() + 1, words.end()});
  return error("check_gpu describe | costs | kernels FILE...");
}

}  // namespace
}  // namespace sbp::cuda

int main(int argc, char** argv) {
  const absl::Status status = sbp::cuda::run({argv + 1, argv + argc});
  if (status.ok()) return 0;
  std::fprintf(stderr, "error: %s\n", sbp::textOf(status).c_str());
  return 1;
}
