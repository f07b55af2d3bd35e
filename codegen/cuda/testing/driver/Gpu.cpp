#include "codegen/cuda/testing/driver/Gpu.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "codegen/cuda/testing/driver/AppendedKernels.h"
#include "fmt/format.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

namespace sbp::cuda::driver {
namespace {

/// The size of memory if SBP_SIM_MEMORY does not give it.
constexpr size_t kTotalBytes = size_t{8} << 30;

/// Returns the first line of `text` without the sign of a comment: "plan 0123".
std::string_view markOf(std::string_view text, std::string_view comment) {
  if (text.substr(0, comment.size()) != comment) return {};
  text.remove_prefix(comment.size());
  return text.substr(0, text.find('\n'));
}

}  // namespace

Gpu::Gpu() : totalBytes_(kTotalBytes) {
  if (const char* bytes = std::getenv("SBP_SIM_MEMORY"))
    totalBytes_ = std::strtoull(bytes, nullptr, 10);
}

Gpu& Gpu::instance() {
  static Gpu* const gpu = new Gpu();  // lives as long as the process
  return *gpu;
}

uint64_t Gpu::allocate(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > totalBytes_ - usedBytes_) return 0;
  // This pattern of bytes is a NaN in every float type. An arena is aligned as
  // on a GPU, to 256 bytes.
  constexpr size_t kAlignment = 256;
  std::vector<std::byte> memory(bytes + kAlignment, std::byte{0xff});
  const auto first = reinterpret_cast<uint64_t>(memory.data());
  const uint64_t address = (first + kAlignment - 1) / kAlignment * kAlignment;
  usedBytes_ += bytes;
  allocations_.emplace(address, std::move(memory));
  return address;
}

bool Gpu::free(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex_);
  return allocations_.erase(address) > 0;
}

bool Gpu::holds(uint64_t address, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return false;
  const auto& memory = std::prev(next)->second;
  return address + bytes <=
         reinterpret_cast<uint64_t>(memory.data()) + memory.size();
}

size_t Gpu::freeBytes() {
  std::lock_guard<std::mutex> lock(mutex_);
  return totalBytes_ - usedBytes_;
}

absl::Status Gpu::load(const char* ptx) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (simulator_) return absl::OkStatus();
  absl::StatusOr<std::string> ir = appendedKernels("/proc/self/exe");
  if (!ir.ok()) return ir.status();
  const std::string_view mark = markOf(*ir, "; ");
  if (mark.empty() || mark != markOf(ptx, "// "))
    return absl::InvalidArgumentError(fmt::format(
        "the program's kernels are of '{}', those appended to it of '{}'",
        markOf(ptx, "// "), mark));
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(*ir, diagnostic, context);
  if (!module) return absl::InvalidArgumentError(diagnostic.getMessage().str());
  auto simulator = simt::Simulator::load(*module, simt::Checks::None);
  if (!simulator.ok()) return simulator.status();
  simulator_ = std::move(*simulator);
  for (const llvm::Function& function : *module)
    if (!function.isDeclaration())
      kernels_[function.getName().str()] = {function.getName().str(),
                                            function.arg_size()};
  return absl::OkStatus();
}

Kernel* Gpu::find(const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? nullptr : &found->second;
}

absl::Status Gpu::run(const Kernel& kernel, int64_t numBlocks,
                      int64_t numThreads, const std::vector<void*>& buffers) {
  std::vector<simt::Buffer> arguments;
  for (void* buffer : buffers) arguments.push_back({buffer, 0});
  std::lock_guard<std::mutex> lock(mutex_);
  return simulator_->run(kernel.name, numBlocks, numThreads, arguments,
                         simt::Order::Ascending);
}

}  // namespace sbp::cuda::driver
