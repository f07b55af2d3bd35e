#include "runtime/calibration/GpuCalibration.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

#include "runtime/calibration/Curve.h"
#include "runtime/calibration/Measure.h"
#include "runtime/calibration/RankTimes.h"
#include "runtime/communication/SampleTask.h"
#include "runtime/communication/StagingLayout.h"
#include "runtime/cuda/GpuLevels.h"
#include "runtime/cuda/HostGpus.h"
#include "runtime/math/BFloat16.h"
#include "runtime/plan/Names.h"
#include "runtime/random/Philox.h"
#include "runtime/status/Status.h"

namespace sbp::calibration {
namespace {

/// Target duration of a batch of runs of a kernel: long compared with a wait of
/// the host. Streams hold about a thousand runs before the host has to wait.
constexpr double kBatchSeconds = 5e-3;
constexpr double kLeastRuns = 3, kMostRuns = 500;
constexpr int kRepetitions = 9;

/// Part of the time of a kernel that remains, at least, if the time of a launch
/// is subtracted.
constexpr double kLeastShare = 0.05;

/// Size of matrices and tensors that are measured in any case, so that there is
/// a rate for each type.
constexpr int64_t kAlwaysMeasured = int64_t{64} << 10;

/// Size of the random pattern with which operands are filled, and of one write.
constexpr int64_t kPatternWords = 4096;
constexpr int64_t kWriteBytes = int64_t{8} << 20;

/// Returns the seconds of a launch, of the costs of a GPU.
double launchSeconds(const std::vector<cuda::Cost>& costs) {
  for (const cuda::Cost& cost : costs)
    if (cost.what == cuda::kKernelInProgram) return cost.value * 1e-6;
  return 0;
}

/// Returns words that are random numbers of [-1, 1) as f32, and as two of type
/// bf16. A GPU draws less power for zeros, and may run faster.
std::vector<uint32_t> randomPattern() {
  std::vector<uint32_t> words;
  for (int64_t i = 0; i < kPatternWords; ++i) {
    const math::BFloat16 number(
        static_cast<float>(2 * random::uniform(0, 0, i) - 1));
    uint16_t bits = 0;
    std::memcpy(&bits, &number, sizeof bits);
    words.push_back(bits | uint32_t{bits} << 16);
  }
  return words;
}

}  // namespace

absl::StatusOr<std::vector<LevelExtent>> gpuLevels(int64_t numNodes,
                                                   int64_t ranksPerNode) {
  SBP_ASSIGN_OR_RETURN(const cuda::HostGpus host, cuda::HostGpus::find());
  const auto numGpus = static_cast<int64_t>(host.gpus.size());
  if (ranksPerNode > numGpus)
    return error("-n {}: NVIDIA's driver shows {} GPU{}", ranksPerNode, numGpus,
                 numGpus == 1 ? "" : "s");
  std::vector<LevelExtent> levels = {{"node", numNodes}};
  for (const cuda::GpuLevel& level :
       cuda::gpuLevelsOf(host, ranksPerNode).levels)
    levels.push_back({level.name, level.count});
  return levels;
}

absl::StatusOr<std::unique_ptr<GpuCalibration>> GpuCalibration::plan(
    const Grid& grid, int64_t largestBytes) {
  std::unique_ptr<GpuCalibration> result(new GpuCalibration());
  SBP_ASSIGN_OR_RETURN(result->kernels_, GpuKernels::load());
  plan::Plan& plan = result->plan_;
  plan.model = "calibration";
  plan.groups = {plan::Group(grid.mesh)};
  plan.kernels = result->kernels_.kernels;
  plan::Entry& entry = plan.entries.emplace_back();
  entry.name = plan.model;
  entry.takesInOrder = entry.sendsInOrder = true;  // there are no messages
  plan::EntryProgram steps;
  steps.arenaBytes = communication::sampleArenaBytes(largestBytes);
  for (const GpuKernel& run : result->kernels_.runs) {
    if (run.tensorBytes > std::max(largestBytes, kAlwaysMeasured)) continue;
    result->runs_.push_back(run);
    steps.arenaBytes = std::max(steps.arenaBytes, run.arenaBytes);
  }
  for (plan::CollectiveTask& task : largestCollectives(grid, largestBytes))
    steps.tasks.emplace_back(std::move(task));
  steps.firstUpdate = static_cast<int64_t>(steps.tasks.size());
  plan::Program& program = plan.programs.emplace_back();
  program.ranks.resize(grid.everyone.members);
  std::iota(program.ranks.begin(), program.ranks.end(), 0);
  program.entries = {std::move(steps)};
  return result;
}

std::vector<int64_t> GpuCalibration::hostBytes() const {
  std::vector<int64_t> bytes;
  for (int64_t rank : plan_.programs.front().ranks)
    bytes.push_back(communication::StagingLayout(plan_, 0, rank).bytes());
  return bytes;
}

absl::Status GpuCalibration::open(communication::Communicator& communicator,
                                  program::CollectivesChoice collectives) {
  communicator_ = &communicator;
  program::Options options;
  options.collectives = collectives;
  auto gpu = program::GpuRank::open(plan_, /*entry=*/0, kernels_.images,
                                    options, communicator);
  SBP_RETURN_IF_ERROR(communicator.agree(gpu.status()));
  gpu_ = *std::move(gpu);
  return gpu_->connect(options);
}

execute::Rank GpuCalibration::rank() {
  return {*communicator_, gpu_->collectives(), gpu_->device()};
}

absl::StatusOr<std::vector<cuda::Cost>> GpuCalibration::measureCosts() {
  const cuda::CudaDevice& device = gpu_->device();
  // The smallest sum: the first kernel that is none of products.
  const auto smallest =
      std::find_if(kernels_.runs.begin(), kernels_.runs.end(),
                   [](const GpuKernel& run) { return !run.isProduct; });
  const plan::Launch& planned =
      kernels_.kernels[smallest->kernel].launches.front();
  std::vector<cuda::Address> arguments;
  for (int64_t buffer : smallest->buffers)
    arguments.push_back(device.arena() + buffer);
  absl::StatusOr<std::vector<cuda::Cost>> costs;
  if (communicator_->rank() == 0) {
    costs = [&]() -> absl::StatusOr<std::vector<cuda::Cost>> {
      SBP_ASSIGN_OR_RETURN(const cuda::Function function,
                           device.gpu().find(planned.function));
      return cuda::measureCosts(
          device.gpu(),
          {function, static_cast<unsigned>(planned.blocks),
           static_cast<unsigned>(planned.threads)},
          arguments);
    }();
  } else {
    costs = std::vector<cuda::Cost>();
  }
  SBP_RETURN_IF_ERROR(communicator_->agree(costs.status()));
  // Others get the time of a launch, which their rates need.
  SBP_ASSIGN_OR_RETURN(
      const std::vector<double> launch,
      greatestOfRanks(*communicator_, {launchSeconds(*costs)}));
  if (costs->empty())
    *costs = {{cuda::kKernelInProgram, launch.front() * 1e6, "us"}};
  return costs;
}

absl::Status GpuCalibration::fillArena() {
  const std::vector<uint32_t> pattern = randomPattern();
  const auto patternBytes =
      static_cast<int64_t>(pattern.size() * sizeof pattern[0]);
  int64_t end = 0;
  for (const GpuKernel& run : runs_) end = std::max(end, run.arenaBytes);
  for (int64_t begin = 0; begin < end; begin += kWriteBytes) {
    const int64_t bytes = std::min(kWriteBytes, end - begin);
    SBP_RETURN_IF_ERROR(gpu_->device().write(begin, bytes, [&](std::byte* to) {
      for (int64_t at = 0; at < bytes; at += patternBytes)
        std::memcpy(to + at, pattern.data(),
                    std::min(patternBytes, bytes - at));
      return absl::OkStatus();
    }));
  }
  return gpu_->device().wait();
}

absl::StatusOr<double> GpuCalibration::secondsOf(const GpuKernel& run) {
  cuda::CudaDevice& device = gpu_->device();
  const auto batch = [&](int64_t count) -> absl::StatusOr<double> {
    SBP_RETURN_IF_ERROR(communicator_->barrier());
    const double begin = secondsNow();
    for (int64_t i = 0; i < count; ++i)
      SBP_RETURN_IF_ERROR(device.run(run.kernel, run.buffers));
    SBP_RETURN_IF_ERROR(device.wait());
    communicator_->noteStep();
    return (secondsNow() - begin) / static_cast<double>(count);
  };
  SBP_RETURN_IF_ERROR(batch(1).status());
  SBP_ASSIGN_OR_RETURN(const double first, batch(kLeastRuns));
  SBP_ASSIGN_OR_RETURN(const std::vector<double> slowest,
                       greatestOfRanks(*communicator_, {first}));
  const auto count = static_cast<int64_t>(
      std::clamp(kBatchSeconds / slowest.front(), kLeastRuns, kMostRuns));
  std::vector<double> seconds;
  for (int i = 0; i < kRepetitions; ++i) {
    SBP_ASSIGN_OR_RETURN(seconds.emplace_back(), batch(count));
  }
  SBP_ASSIGN_OR_RETURN(
      const std::vector<double> all,
      greatestOfRanks(*communicator_, {lowerQuartile(std::move(seconds))}));
  return all.front();
}

absl::StatusOr<DeviceSpeed> GpuCalibration::measureDevice(
    const std::vector<cuda::Cost>& costs) {
  const cuda::CudaDevice& device = gpu_->device();
  DeviceSpeed speed;
  speed.isGpu = true;
  speed.launchSeconds = launchSeconds(costs);
  size_t free = 0, total = 0;
  SBP_RETURN_IF_ERROR(device.gpu().driver().check(
      device.gpu().driver().memGetInfo(&free, &total), "cuMemGetInfo"));
  const double memory =
      static_cast<double>(static_cast<int64_t>(free) +
                          plan_.programs.front().entries.front().arenaBytes);
  SBP_ASSIGN_OR_RETURN(const std::vector<double> least,
                       greatestOfRanks(*communicator_, {-memory}));
  speed.memoryBytes = -least.front();
  SBP_RETURN_IF_ERROR(fillArena());
  std::map<plan::ElementType, std::vector<TimedOp>> products;
  for (const GpuKernel& run : runs_) {
    SBP_ASSIGN_OR_RETURN(double seconds, secondsOf(run));
    seconds = std::max(seconds - speed.launchSeconds, kLeastShare * seconds);
    if (run.isProduct)
      products[run.type].push_back({run.flops, seconds});
    else  // the last sum is the largest one
      speed.bytesPerSecond = run.bytes / seconds;
  }
  for (auto& [type, ops] : products)
    speed.rates.push_back(
        rateOf(std::string(plan::toString(type)), std::move(ops)));
  speed.ways = fmt::format(
      "FLOP/s are those of products of square matrices, without the launch; "
      "memory is what tensors can have of {}.",
      device.gpu().describe());
  return speed;
}

}  // namespace sbp::calibration
