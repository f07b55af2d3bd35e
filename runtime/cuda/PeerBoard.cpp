#include "runtime/cuda/PeerBoard.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

constexpr int64_t kNumberBytes = sizeof(int64_t);
constexpr int64_t kCountBytes = sizeof(uint32_t);
/// Bytes of a cache line. Each gate has a line of its own, and so has the count
/// of each lane.
constexpr int64_t kLineBytes = 64;
/// Bytes of a send cell: its buffer and its count.
constexpr int64_t kSendCellBytes = 2 * kNumberBytes;

absl::Status systemError(const std::string& what) {
  return error("{}: {}", what, std::strerror(errno));
}

int64_t toLines(int64_t bytes) {
  return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
}

}  // namespace

// The first cache line holds the list and the waits.
int64_t BoardLayout::gate(int64_t number) const {
  return kLineBytes + number * kLineBytes;
}
int64_t BoardLayout::sentBuffer(int64_t cell) const {
  return gate(numGates) + cell * kSendCellBytes;
}
int64_t BoardLayout::sentCount(int64_t cell) const {
  return sentBuffer(cell) + kNumberBytes;
}
int64_t BoardLayout::receivedCount(int64_t cell) const {
  return sentBuffer(numCells) + cell * kCountBytes;
}
int64_t BoardLayout::done(int64_t lane) const {
  return toLines(receivedCount(numCells)) +
         lane * (kLineBytes + kRingNumbers * kNumberBytes);
}
int64_t BoardLayout::ring(int64_t lane) const {
  return done(lane) + kLineBytes;
}
int64_t BoardLayout::bytes() const { return done(numLanes); }

absl::StatusOr<PeerBoard> PeerBoard::allocate(const BoardLayout& layout,
                                              const Gpu& gpu) {
  PeerBoard board;
  board.descriptor_ = memfd_create("sbp-board", MFD_CLOEXEC);
  if (board.descriptor_ < 0) return systemError("memfd_create");
  if (ftruncate(board.descriptor_, layout.bytes()) != 0)
    return systemError("cannot share a board of memory");
  SBP_RETURN_IF_ERROR(board.map(layout.bytes(), gpu));
  return board;
}

absl::StatusOr<PeerBoard> PeerBoard::open(const BoardLayout& layout,
                                          const Gpu& gpu, int64_t pid, int fd) {
  const std::string path = fmt::format("/proc/{}/fd/{}", pid, fd);
  PeerBoard board;
  board.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (board.descriptor_ < 0) return systemError(path);
  SBP_RETURN_IF_ERROR(board.map(layout.bytes(), gpu));
  board.closeDescriptor();
  return board;
}

absl::Status PeerBoard::map(int64_t bytes, const Gpu& gpu) {
  // The driver may refuse to register memory that is mapped for reading only.
  void* base =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (base == MAP_FAILED) return systemError("mmap of a board");
  base_ = static_cast<std::byte*>(base);
  bytes_ = bytes;
  gpu_ = &gpu;
  const Driver& driver = gpu.driver();
  SBP_RETURN_IF_ERROR(driver.check(
      driver.memHostRegister(base, bytes, kHostPortable | kHostMapped),
      "cuMemHostRegister"));
  return driver.check(driver.memHostGetDevicePointer(&address_, base, 0),
                      "cuMemHostGetDevicePointer");
}

PeerBoard& PeerBoard::operator=(PeerBoard&& other) noexcept {
  std::swap(gpu_, other.gpu_);
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(address_, other.address_);
  return *this;
}

PeerBoard::~PeerBoard() {
  closeDescriptor();
  if (!gpu_ || gpu_->isAbandoned()) return;
  if (address_) gpu_->driver().memHostUnregister(base_);
  munmap(base_, bytes_);
}

PeerBoard PeerBoard::view() const {
  PeerBoard board;
  board.base_ = base_;
  board.bytes_ = bytes_;
  board.address_ = address_;
  return board;
}

void PeerBoard::closeDescriptor() {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
}

}  // namespace sbp::cuda
