#include "codegen/cuda/testing/SimulatedKernels.h"

#include <cstring>
#include <utility>

#include "fmt/format.h"

namespace sbp::cuda {

absl::StatusOr<std::unique_ptr<SimulatedKernels>> SimulatedKernels::load(
    const llvm::Module& code, std::vector<OpKernel> kernels,
    llvm::ArrayRef<simt::Order> orders) {
  absl::StatusOr<std::unique_ptr<simt::Simulator>> simulator =
      simt::Simulator::load(code);
  if (!simulator.ok()) return simulator.status();
  return std::unique_ptr<SimulatedKernels>(
      new SimulatedKernels(std::move(*simulator), std::move(kernels), orders));
}

std::string SimulatedKernels::run(size_t op,
                                  const std::vector<Buffer>& buffers) {
  std::vector<simt::Buffer> arguments;
  for (const Buffer& buffer : buffers)
    arguments.push_back({buffer.begin, buffer.bytes});
  const auto contents = [&] {
    std::vector<std::string> bytes;
    for (const Buffer& buffer : buffers)
      bytes.emplace_back(static_cast<const char*>(buffer.begin), buffer.bytes);
    return bytes;
  };
  const std::vector<std::string> before = contents();
  std::vector<std::string> expected;
  for (const simt::Order order : orders_) {
    for (size_t i = 0; i < buffers.size(); ++i)
      std::memcpy(buffers[i].begin, before[i].data(), before[i].size());
    for (const plan::Launch& launch : kernels_[op].launches) {
      const absl::Status status = simulator_->run(
          launch.function, launch.blocks, launch.threads, arguments, order);
      if (!status.ok()) return std::string(status.message());
    }
    if (expected.empty())
      expected = contents();
    else if (contents() != expected)
      return fmt::format(
          "another order of threads, number {}, gives something else",
          static_cast<int>(order));
  }
  return "";
}

}  // namespace sbp::cuda
