#include "codegen/cuda/testing/driver/SimulatedGpu.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iterator>
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

/// The contents of a handle.
struct Shared {
  pid_t process = 0;
  int descriptor = -1;
  size_t bytes = 0;
};

/// Returns the first line of `text` without the sign of a comment: "plan 0123".
std::string_view markOf(std::string_view text, std::string_view comment) {
  if (text.substr(0, comment.size()) != comment) return {};
  text.remove_prefix(comment.size());
  return text.substr(0, text.find('\n'));
}

}  // namespace

SimulatedGpu::SimulatedGpu() : totalBytes_(kTotalBytes) {
  if (const char* bytes = std::getenv("SBP_SIM_MEMORY"))
    totalBytes_ = std::strtoull(bytes, nullptr, 10);
}

SimulatedGpu& SimulatedGpu::instance() {
  static SimulatedGpu* const gpu =
      new SimulatedGpu();  // lives as long as the process
  return *gpu;
}

uint64_t SimulatedGpu::allocate(size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (bytes > totalBytes_ - usedBytes_) return 0;
  const int descriptor = memfd_create("stand-in-gpu", MFD_CLOEXEC);
  if (descriptor < 0 || ftruncate(descriptor, bytes) != 0) return 0;
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return 0;
  std::memset(memory, 0xff, bytes);  // a NaN in every float type
  usedBytes_ += bytes;
  const auto address = reinterpret_cast<uint64_t>(memory);
  allocations_[address] = {bytes, descriptor};
  return address;
}

bool SimulatedGpu::free(uint64_t address) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  munmap(reinterpret_cast<void*>(address), found->second.bytes);
  close(found->second.descriptor);
  usedBytes_ -= found->second.bytes;
  allocations_.erase(found);
  return true;
}

bool SimulatedGpu::share(uint64_t address, void* handle) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  const Shared shared = {getpid(), found->second.descriptor,
                         found->second.bytes};
  std::memcpy(handle, &shared, sizeof shared);
  return true;
}

uint64_t SimulatedGpu::open(const void* handle) {
  Shared shared;
  std::memcpy(&shared, handle, sizeof shared);
  // As on a GPU, a process cannot map its own memory.
  if (shared.process == getpid()) return 0;
  const std::string path =
      fmt::format("/proc/{}/fd/{}", shared.process, shared.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return 0;
  void* memory = mmap(nullptr, shared.bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                      descriptor, 0);
  close(descriptor);
  return memory == MAP_FAILED ? 0 : reinterpret_cast<uint64_t>(memory);
}

bool SimulatedGpu::holds(uint64_t address, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto next = allocations_.upper_bound(address);
  if (next == allocations_.begin()) return false;
  const auto& [first, allocation] = *std::prev(next);
  return address + bytes <= first + allocation.bytes;
}

size_t SimulatedGpu::freeBytes() {
  std::lock_guard<std::mutex> lock(mutex_);
  return totalBytes_ - usedBytes_;
}

absl::Status SimulatedGpu::load(const char* ptx) {
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

Kernel* SimulatedGpu::find(const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? nullptr : &found->second;
}

absl::Status SimulatedGpu::run(const Kernel& kernel, int64_t numBlocks,
                               int64_t numThreads,
                               const std::vector<void*>& buffers) {
  std::vector<simt::Buffer> arguments;
  for (void* buffer : buffers) arguments.push_back({buffer, 0});
  std::lock_guard<std::mutex> lock(mutex_);
  return simulator_->run(kernel.name, numBlocks, numThreads, arguments,
                         simt::Order::Ascending);
}

}  // namespace sbp::cuda::driver
