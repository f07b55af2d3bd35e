#include "codegen/cuda/testing/SampledTraffic.h"

#include <cstring>
#include <functional>
#include <numeric>
#include <random>

#include "codegen/cuda/testing/LazyMemory.h"

namespace sbp::cuda {
namespace {

/// Number of blocks that are run between the first and the last one. It is
/// prime, so that the blocks are seldom at the same position in rows of tiles.
constexpr int64_t kBlocksBetween = 5;

int64_t numElements(const plan::LocalType& type) {
  return std::accumulate(type.shape.begin(), type.shape.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

int64_t bytesOf(const plan::LocalType& type) {
  return numElements(type) * plan::byteWidth(type.elementType);
}

void fillRandomly(const plan::LocalType& type, int64_t below,
                  std::byte* memory) {
  const bool isInteger = type.elementType == plan::ElementType::kI32 ||
                         type.elementType == plan::ElementType::kI64;
  if (!isInteger || type.shape.empty()) return;
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int64_t> numbers(0, below - 1);
  // The CPU is little-endian, so the first `width` bytes of `number` suffice.
  const int64_t width = plan::byteWidth(type.elementType);
  for (int64_t i = 0; i < numElements(type); ++i) {
    const int64_t number = numbers(random);
    std::memcpy(memory + i * width, &number, width);
  }
}

/// Runs a sample of the blocks of a launch.
class Sampling {
 public:
  Sampling(simt::Simulator& simulator, const plan::Launch& launch,
           const std::vector<simt::Buffer>& buffers)
      : simulator_(simulator), launch_(launch), buffers_(buffers) {}

  absl::StatusOr<Traffic> run() {
    Traffic traffic;
    const int64_t last = launch_.blocks - 1;
    add(0, 1, traffic);
    if (last > 0) add(last, 1, traffic);
    const int64_t between = last - 1;
    const int64_t numRuns = std::min(between, kBlocksBetween);
    for (int64_t i = 0; i < numRuns; ++i)
      add(1 + (2 * i + 1) * between / (2 * numRuns),
          static_cast<double>(between) / static_cast<double>(numRuns), traffic);
    if (!status_.ok()) return status_;
    return traffic;
  }

 private:
  /// Adds the traffic of `block`, multiplied by `times`.
  void add(int64_t block, double times, Traffic& traffic) {
    if (!status_.ok()) return;
    BlockTraffic counts;
    status_ = simulator_.observe(launch_.function, block, launch_.blocks,
                                 launch_.threads, buffers_, counts);
    traffic += counts.take() * times;
  }

  simt::Simulator& simulator_;
  const plan::Launch& launch_;
  const std::vector<simt::Buffer>& buffers_;
  absl::Status status_;
};

/// Ignores all accesses.
class NullObserver : public simt::Observer {
 public:
  void note(const simt::Access& /*access*/) override {}
};

/// Whether the accesses of a launch of `kernel` depend on what launches before
/// it have written, so that these must run all their blocks.
bool followsResults(const plan::Kernel& kernel) {
  return kernel.op == "nn.embedding_grad";
}

}  // namespace

absl::StatusOr<std::vector<Traffic>> sampleTraffic(simt::Simulator& simulator,
                                                   const plan::Kernel& kernel,
                                                   int64_t below) {
  std::vector<LazyMemory> memory;
  for (const plan::LocalType& type : kernel.operands)
    fillRandomly(type, below, memory.emplace_back(bytesOf(type)).begin());
  for (const plan::LocalType& type : kernel.results)
    memory.emplace_back(bytesOf(type));
  if (kernel.scratchBytes > 0) memory.emplace_back(kernel.scratchBytes);
  std::vector<simt::Buffer> buffers;
  for (const LazyMemory& each : memory)
    buffers.push_back({each.begin(), each.bytes()});
  std::vector<Traffic> ofLaunches;
  for (const plan::Launch& launch : kernel.launches) {
    absl::StatusOr<Traffic> traffic =
        Sampling(simulator, launch, buffers).run();
    if (!traffic.ok()) return traffic.status();
    ofLaunches.push_back(*traffic);
    if (!followsResults(kernel) || &launch == &kernel.launches.back()) continue;
    NullObserver nobody;
    for (int64_t block = 0; block < launch.blocks; ++block)
      if (absl::Status status =
              simulator.observe(launch.function, block, launch.blocks,
                                launch.threads, buffers, nobody);
          !status.ok())
        return status;
  }
  return ofLaunches;
}

int64_t leastBytes(const plan::Kernel& kernel) {
  int64_t bytes = 0;
  for (const auto* types : {&kernel.operands, &kernel.results})
    for (const plan::LocalType& type : *types) bytes += bytesOf(type);
  if (kernel.op == "nn.embedding")
    bytes += bytesOf(kernel.results[0]) - bytesOf(kernel.operands[0]);
  return bytes;
}

}  // namespace sbp::cuda
