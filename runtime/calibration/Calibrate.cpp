#include "runtime/calibration/Calibrate.h"

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>

#include "runtime/calibration/DeviceSpeed.h"
#include "runtime/calibration/Grid.h"
#include "runtime/calibration/Measure.h"
#include "runtime/calibration/Prices.h"
#include "runtime/calibration/Report.h"
#include "runtime/communication/Communicator.h"
#include "runtime/communication/SampleTask.h"
#include "runtime/communication/World.h"
#include "runtime/file/OutputFile.h"
#include "runtime/file/Show.h"
#include "runtime/status/Status.h"

namespace sbp::calibration {
namespace {

using communication::Communicator;

constexpr int64_t kSmallest = 1 << 10;
constexpr int64_t kLargest = 1 << 24;

/// Returns the tensor sizes to measure, in bytes, ascending and without
/// repeats.
std::vector<int64_t> sizesOf(const Options& options) {
  std::vector<int64_t> sizes = options.sizes;
  if (sizes.empty()) {
    for (int64_t size = kSmallest; size <= kLargest; size *= 2) {
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

/// Measures collectives and devices on all ranks and reports on rank 0. Returns
/// the same status on every rank.
absl::Status measure(const Options& options, const Grid& grid,
                     const std::vector<int64_t>& sizes,
                     Communicator& communicator) {
  const bool isFirst = communicator.rank() == 0;
  absl::Status status;
  if (isFirst && !options.outputPath.empty()) {
    status = file::checkWritable(options.outputPath);
  }
  SBP_RETURN_IF_ERROR(communicator.agree(status));
  Findings findings;
  findings.world = communicator.description();
  SBP_ASSIGN_OR_RETURN(
      findings.samples,
      measureCollectives(communicator, grid, sizes, options.numRepetitions));
  SBP_ASSIGN_OR_RETURN(findings.device,
                       measureDevice(communicator, options.ranksPerNode));
  findings.levels = priceLevels(grid, findings.samples);
  if (isFirst) status = report(options, findings);
  return communicator.agree(status);
}

absl::Status run(const Options& options, bool& isFirst) {
  const std::vector<int64_t> sizes = sizesOf(options);
  const Grid grid = makeGrid(options.numNodes, options.ranksPerNode);
  communication::WorldOptions world;
  world.groups = {plan::Group(grid.mesh)};
  world.arenaBytes.assign(options.numNodes * options.ranksPerNode,
                          communication::sampleArenaBytes(sizes.back()));
  world.start = {{"--sizes", fmt::format("{}", fmt::join(sizes, ","))},
                 {"--repetitions", fmt::format("{}", options.numRepetitions)}};
  SBP_ASSIGN_OR_RETURN(auto communicator, communication::connect(world));
  isFirst = communicator->rank() == 0;
  absl::Status status = measure(options, grid, sizes, *communicator);
  // An error on which all ranks have agreed still ends the world in order.
  if (communicator->abortStatus().ok()) {
    absl::Status finished = communicator->finish();
    if (status.ok()) status = std::move(finished);
  }
  return status;
}

}  // namespace

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
