#include "runtime/communication/RankMemory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/plan/Plan.h"

namespace sbp::communication {
namespace {

// The arena begins at a page boundary. So do large buffers, which the compiler
// aligns to pages within the arena. The kernel may use huge pages.
constexpr int64_t kPageBytes = 4096;
constexpr int64_t kCacheLineBytes = 64;

int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

absl::Status systemError(const std::string& what) {
  return absl::ResourceExhaustedError(
      fmt::format("{}: {}", what, std::strerror(errno)));
}

// Returns the error for errno: kResourceExhausted if a limit of open files is
// reached. Otherwise kPermissionDenied: this process cannot reach the memory.
absl::Status cannotOpen(const std::string& what) {
  if (errno == EMFILE || errno == ENFILE) return systemError(what);
  return absl::PermissionDeniedError(
      fmt::format("{}: {}", what, std::strerror(errno)));
}

// Makes the kernel allocate the pages now, near this rank's processor, and not
// in the middle of a step.
absl::Status touch(std::byte* base, int64_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (madvise(base, bytes, MADV_POPULATE_WRITE) == 0) return absl::OkStatus();
  if (errno != EINVAL) {
    return systemError(fmt::format("this host has no {} for the arena",
                                   bytes::toExactText(double(bytes))));
  }
#endif
  for (int64_t offset = 0; offset < bytes; offset += kPageBytes) {
    *reinterpret_cast<volatile char*>(base + offset) = 0;
  }
  return absl::OkStatus();
}

}  // namespace

int64_t MemoryLayout::boardOffset() const {
  return numGates * static_cast<int64_t>(sizeof(Gate));
}
int64_t MemoryLayout::sentOffset() const {
  return boardOffset() + static_cast<int64_t>(sizeof(Board));
}
int64_t MemoryLayout::takenOffset() const {
  return sentOffset() + numRanks * static_cast<int64_t>(sizeof(uint64_t));
}
int64_t MemoryLayout::sendCellsOffset() const {
  return takenOffset() + numRanks * static_cast<int64_t>(sizeof(uint64_t));
}
int64_t MemoryLayout::receiveCellsOffset() const {
  return sendCellsOffset() + numCells * static_cast<int64_t>(sizeof(SendCell));
}
int64_t MemoryLayout::buffersOffset() const {
  return roundUp(
      receiveCellsOffset() + numCells * static_cast<int64_t>(sizeof(uint64_t)),
      kCacheLineBytes);
}
int64_t MemoryLayout::mailboxOffset() const {
  return roundUp(
      buffersOffset() +
          plan::kMostInBucket * static_cast<int64_t>(sizeof(CollectiveBuffers)),
      kPageBytes);
}
int64_t MemoryLayout::arenaOffset() const {
  return mailboxOffset() + kMailboxBytes;
}
int64_t MemoryLayout::totalBytes() const {
  return arenaOffset() + roundUp(arenaBytes, kPageBytes);
}

absl::StatusOr<RankMemory> RankMemory::allocate(const MemoryLayout& layout,
                                                bool isShared) {
  const int64_t bytes = layout.totalBytes();
  RankMemory memory;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (isShared) {
    memory.descriptor = memfd_create("sbp-arena", MFD_CLOEXEC);
    if (memory.descriptor < 0) return systemError("memfd_create");
    if (ftruncate(memory.descriptor, bytes) != 0) {
      return systemError(fmt::format("cannot share {} of memory",
                                     bytes::toExactText(double(bytes))));
    }
    flags = MAP_SHARED;
  }
  void* base =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, memory.descriptor, 0);
  if (base == MAP_FAILED) {
    return systemError(fmt::format("this host has no {} for the arena",
                                   bytes::toExactText(double(bytes))));
  }
  memory.layout = layout;
  memory.base = static_cast<std::byte*>(base);
  memory.ownsMapping = true;
  madvise(base, bytes, MADV_HUGEPAGE);
  absl::Status status = touch(memory.base, bytes);
  if (!status.ok()) return status;
  return memory;
}

absl::StatusOr<RankMemory> RankMemory::open(const MemoryLayout& layout,
                                            int64_t pid, int fd) {
  std::string path = fmt::format("/proc/{}/fd/{}", pid, fd);
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannotOpen(path);
  void* base =
      mmap(nullptr, layout.totalBytes(), PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (base == MAP_FAILED) return cannotOpen("mmap of " + path);
  RankMemory memory;
  memory.layout = layout;
  memory.base = static_cast<std::byte*>(base);
  memory.ownsMapping = true;
  return memory;
}

RankMemory::RankMemory(RankMemory&& other) noexcept {
  *this = std::move(other);
}

RankMemory& RankMemory::operator=(RankMemory&& other) noexcept {
  std::swap(layout, other.layout);
  std::swap(base, other.base);
  std::swap(ownsMapping, other.ownsMapping);
  std::swap(descriptor, other.descriptor);
  return *this;
}

RankMemory::~RankMemory() {
  closeDescriptor();
  if (ownsMapping) munmap(base, layout.totalBytes());
}

RankMemory RankMemory::view() const {
  RankMemory memory;
  memory.layout = layout;
  memory.base = base;
  return memory;
}

void RankMemory::closeDescriptor() {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

}  // namespace sbp::communication
