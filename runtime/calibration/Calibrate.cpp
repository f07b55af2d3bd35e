#include "runtime/calibration/Calibrate.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "runtime/calibration/DeviceSpeed.h"
#include "runtime/calibration/GpuCalibration.h"
#include "runtime/calibration/Grid.h"
#include "runtime/calibration/Measure.h"
#include "runtime/calibration/Prices.h"
#include "runtime/calibration/Report.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/SampleTask.h"
#include "runtime/communication/World.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/execute/Executor.h"
#include "runtime/file/OutputFile.h"
#include "runtime/file/Show.h"
#include "runtime/status/Status.h"

namespace sbp::calibration {
namespace {

using communication::Communicator;

constexpr int64_t kSmallest = 1 << 10;
constexpr int64_t kLargest = 1 << 24;
// Larger than the caches of a GPU.
constexpr int64_t kLargestOnGpus = 1 << 26;

/// Returns the tensor sizes to measure, in bytes, ascending and without
/// repeats.
std::vector<int64_t> sizesOf(const Options& options) {
  std::vector<int64_t> sizes = options.sizes;
  if (sizes.empty()) {
    const int64_t largest = options.isForGpus ? kLargestOnGpus : kLargest;
    for (int64_t size = kSmallest; size <= largest; size *= 2) {
      sizes.push_back(size);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// Fits the prices of each level of `grid` to its own samples. Samples over
/// several levels are left out.
std::vector<LevelPrices> priceLevels(const Grid& grid,
                                     const std::vector<Sample>& samples) {
  std::vector<LevelPrices> prices;
  for (size_t level = 0; level < grid.levels.size(); ++level) {
    std::vector<Sample> ofLevel;
    for (const Sample& sample : samples) {
      if (sample.level == static_cast<int64_t>(level)) {
        ofLevel.push_back(sample);
      }
    }
    prices.push_back(priceLevel(grid.levels[level], ofLevel));
  }
  return prices;
}

absl::Status writeMachine(const std::string& path, const Findings& findings) {
  SBP_ASSIGN_OR_RETURN(file::OutputFile out, file::OutputFile::create(path));
  SBP_RETURN_IF_ERROR(out.write(toMachine(findings)));
  return out.commit();
}

/// Prints the findings and the warnings, and writes the machine file if one is
/// wanted. Runs on rank 0.
absl::Status report(const Options& options, const Findings& findings) {
  const std::string text =
      options.isJson ? toJson(findings) : toTable(findings);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  const std::string warning = badFit(findings);
  if (!warning.empty())
    file::show(stderr, fmt::format("warning: {}\n", warning));
  const std::string lost = lostInNoise(findings);
  if (!lost.empty()) file::show(stderr, fmt::format("warning: {}\n", lost));
  if (options.ranksPerNode > std::thread::hardware_concurrency()) {
    file::show(
        stderr,
        fmt::format(
            "warning: {} ranks share {} cores: they wait for each other's "
            "turn, and times scatter\n",
            options.ranksPerNode, std::thread::hardware_concurrency()));
  }
  if (options.outputPath.empty()) return absl::OkStatus();
  return writeMachine(options.outputPath, findings);
}

/// Measures collectives and devices on all ranks and reports on rank 0. `gpus`
/// is null for CPUs. Returns the same status on every rank.
absl::Status measure(const Options& options, const Grid& grid,
                     const std::vector<int64_t>& sizes,
                     Communicator& communicator, GpuCalibration* gpus) {
  const bool isFirst = communicator.rank() == 0;
  absl::Status status;
  if (isFirst && !options.outputPath.empty()) {
    status = file::checkWritable(options.outputPath);
  }
  SBP_RETURN_IF_ERROR(communicator.agree(status));
  device::CpuDevice cpu(communicator.arena(), /*kernels=*/nullptr);
  Findings findings;
  findings.world = communicator.description();
  if (gpus) {
    SBP_RETURN_IF_ERROR(gpus->open(communicator, options.collectives));
    if (isFirst)
      for (const std::string& note : gpus->notes())
        file::show(stderr, fmt::format("note: {}\n", note));
  }
  if (!grid.levels.empty()) {
    SBP_ASSIGN_OR_RETURN(
        findings.samples,
        measureCollectives(gpus
                               ? gpus->rank()
                               : execute::Rank{communicator, communicator, cpu},
                           grid, sizes, options.numRepetitions));
  }
  if (gpus) {
    SBP_ASSIGN_OR_RETURN(findings.costs, gpus->measureCosts());
    SBP_ASSIGN_OR_RETURN(findings.device, gpus->measureDevice(findings.costs));
  } else {
    SBP_ASSIGN_OR_RETURN(findings.device,
                         measureDevice(communicator, options.ranksPerNode));
  }
  findings.levels = priceLevels(grid, findings.samples);
  // One GPU has a level too, over which nothing moves.
  if (findings.levels.empty()) findings.levels = {{"gpu", 1, {}, {}}};
  if (isFirst) status = report(options, findings);
  return communicator.agree(status);
}

/// Returns the levels of what is calibrated, outermost first.
absl::StatusOr<std::vector<LevelExtent>> levelsOf(const Options& options) {
  if (options.isForGpus)
    return gpuLevels(options.numNodes, options.ranksPerNode);
  return std::vector<LevelExtent>{{"node", options.numNodes},
                                  {"rank", options.ranksPerNode}};
}

/// Returns "2 x node, 4 x gpu".
std::string describe(const std::vector<LevelExtent>& levels) {
  std::vector<std::string> texts;
  for (const LevelExtent& level : levels)
    texts.push_back(fmt::format("{} x {}", level.count, level.name));
  return fmt::format("{}", fmt::join(texts, ", "));
}

absl::Status run(const Options& options, bool& isFirst) {
  const std::vector<int64_t> sizes = sizesOf(options);
  SBP_ASSIGN_OR_RETURN(const std::vector<LevelExtent> levels,
                       levelsOf(options));
  const Grid grid = makeGrid(levels);
  communication::WorldOptions world;
  world.groups = {plan::Group(grid.mesh)};
  world.arenaBytes.assign(options.numNodes * options.ranksPerNode,
                          communication::sampleArenaBytes(sizes.back()));
  world.start = {{"--sizes", fmt::format("{}", fmt::join(sizes, ","))},
                 {"--repetitions", fmt::format("{}", options.numRepetitions)},
                 {"levels", describe(levels)}};
  std::unique_ptr<GpuCalibration> gpus;
  if (options.isForGpus) {
    SBP_ASSIGN_OR_RETURN(gpus, GpuCalibration::plan(grid, sizes.back()));
    world.arenaBytes = gpus->hostBytes();
  }
  SBP_ASSIGN_OR_RETURN(auto communicator, communication::connect(world));
  isFirst = communicator->rank() == 0;
  absl::Status status =
      measure(options, grid, sizes, *communicator, gpus.get());
  gpus.reset();
  // An error on which all ranks have agreed still ends the world in order.
  if (communicator->abortStatus().ok()) {
    absl::Status finished = communicator->finish();
    if (status.ok()) status = std::move(finished);
  }
  return status;
}

}  // namespace

std::string checkGpus(const Options& options) {
  return textOf(levelsOf(options).status());
}

std::string checkSizes(const Options& options) {
  const int64_t numRanks = options.numNodes * options.ranksPerNode;
  std::vector<int64_t> sizes = sizesOf(options);
  const int64_t least = communication::sampleBytes(numRanks, sizes.front());
  const int64_t most = communication::sampleBytes(numRanks, sizes.back());
  if (least < most) return "";
  return fmt::format(
      "two different sizes are needed to tell latency from bandwidth, but {} "
      "comes to {} bytes among {} ranks",
      fmt::join(sizes, ","), least, numRanks);
}

int calibrate(const Options& options) {
  bool isFirst = true;
  const absl::Status status = run(options, isFirst);
  if (status.ok()) return 0;
  if (absl::IsAborted(status)) return communication::kAbortedExitCode;
  if (isFirst) file::show(stderr, fmt::format("error: {}\n", textOf(status)));
  return 1;
}

}  // namespace sbp::calibration
