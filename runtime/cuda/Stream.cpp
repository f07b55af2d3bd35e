#include "runtime/cuda/Stream.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Whether `result` reports that earlier work on the GPU has failed, such as a
/// kernel that accessed an illegal address. Any call may return such a result,
/// and no later call succeeds.
bool isOfEarlierWork(Result result) {
  constexpr Result kFirst = 700, kLast = 719;  // illegal address, launch failed
  constexpr Result kPeerErrors[] = {704, 705};
  return result >= kFirst && result <= kLast &&
         std::find(std::begin(kPeerErrors), std::end(kPeerErrors), result) ==
             std::end(kPeerErrors);
}

}  // namespace

absl::StatusOr<Stream> Stream::create(const Gpu& gpu) {
  Stream stream(gpu);
  const Driver& driver = gpu.driver();
  SBP_RETURN_IF_ERROR(
      driver.check(driver.streamCreate(&stream.handle_, kStreamNonBlocking),
                   "cuStreamCreate"));
  for (EventHandle* event : stream.events())
    SBP_RETURN_IF_ERROR(driver.check(
        driver.eventCreate(event, kEventWithoutTime), "cuEventCreate"));
  return stream;
}

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(gpu_, other.gpu_);
  std::swap(handle_, other.handle_);
  std::swap(marks_, other.marks_);
  std::swap(end_, other.end_);
  std::swap(parameters_, other.parameters_);
  return *this;
}

Stream::~Stream() {
  if (!handle_ || gpu_->isAbandoned()) return;
  const Driver& driver = gpu_->driver();
  for (EventHandle* event : events())
    if (*event) driver.eventDestroy(*event);
  driver.streamDestroy(handle_);  // does not wait
}

absl::Status Stream::check(Result result, const char* call) const {
  const absl::Status checked = gpu_->driver().check(result, call);
  if (!isOfEarlierWork(result)) return checked;
  return error(
      "work on the GPU failed ({}); with --profile the host waits for each "
      "kernel, and the error names the one that failed",
      textOf(checked));
}

absl::Status Stream::run(const Launch& launch,
                         absl::Span<const Address> arguments,
                         const std::string& what) {
  parameters_.clear();
  for (const Address& argument : arguments)
    parameters_.push_back(const_cast<Address*>(&argument));
  const Result result = gpu_->driver().launchKernel(
      launch.function, launch.blocks, 1, 1, launch.threads, 1, 1,
      /*dynamicSharedBytes=*/0, handle_, parameters_.data(), nullptr);
  if (result == 0) return absl::OkStatus();
  return check(result, fmt::format("cuLaunchKernel of {}", what).c_str());
}

absl::Status Stream::clear(Address address, int64_t bytes) {
  return fill(address, 0, 1, bytes);
}

absl::Status Stream::setNumber(Address address, int64_t number) {
  return fill(address, static_cast<uint64_t>(number), sizeof number, 1);
}

absl::Status Stream::fill(Address address, uint64_t element,
                          int64_t elementBytes, int64_t count) {
  if (count == 0) return absl::OkStatus();
  const Driver& driver = gpu_->driver();
  switch (elementBytes) {
    case 1:
      return check(driver.memsetBytes(address, element, count, handle_),
                   "cuMemsetD8Async");
    case 2:
      return check(driver.memsetHalves(address, element, count, handle_),
                   "cuMemsetD16Async");
    case 4:
      return check(driver.memsetWords(address, element, count, handle_),
                   "cuMemsetD32Async");
    default:
      // Sets the lower words of all elements, then the upper words. A copy from
      // the host would need host memory that lives until the copy is done.
      for (int64_t byte : {0, 4})
        SBP_RETURN_IF_ERROR(
            check(driver.memsetRows(address + byte, elementBytes,
                                    static_cast<uint32_t>(element >> 8 * byte),
                                    /*width=*/1, count, handle_),
                  "cuMemsetD2D32Async"));
      return absl::OkStatus();
  }
}

absl::Status Stream::copyToHost(void* to, Address from, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  return check(gpu_->driver().memcpyToHost(to, from, bytes, handle_),
               "cuMemcpyDtoHAsync");
}

absl::Status Stream::copyFromHost(Address to, const void* from, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  return check(gpu_->driver().memcpyToDevice(to, from, bytes, handle_),
               "cuMemcpyHtoDAsync");
}

absl::Status Stream::perform(std::vector<MemoryOp>& operations) {
  for (size_t first = 0; first < operations.size(); first += kMostMemoryOps) {
    const size_t count = std::min(kMostMemoryOps, operations.size() - first);
    SBP_RETURN_IF_ERROR(check(
        gpu_->driver().streamBatchMemOp(handle_, static_cast<unsigned>(count),
                                        operations.data() + first, 0),
        "cuStreamBatchMemOp"));
  }
  return absl::OkStatus();
}

std::vector<EventHandle*> Stream::events() {
  std::vector<EventHandle*> events = {&end_};
  for (EventHandle& mark : marks_) events.push_back(&mark);
  return events;
}

absl::Status Stream::mark(int64_t mark) {
  return check(gpu_->driver().eventRecord(marks_[mark % kNumMarks], handle_),
               "cuEventRecord");
}

absl::Status Stream::follow(Stream& other) {
  const Driver& driver = gpu_->driver();
  SBP_RETURN_IF_ERROR(
      check(driver.eventRecord(other.end_, other.handle_), "cuEventRecord"));
  return check(driver.streamWaitEvent(handle_, other.end_, 0),
               "cuStreamWaitEvent");
}

absl::Status Stream::follow(const Stream& other, int64_t mark) {
  return check(gpu_->driver().streamWaitEvent(
                   handle_, other.marks_[mark % kNumMarks], 0),
               "cuStreamWaitEvent");
}

absl::StatusOr<bool> Stream::isDone() const {
  const Result result = gpu_->driver().streamQuery(handle_);
  if (result == kNotReady) return false;
  SBP_RETURN_IF_ERROR(check(result, "cuStreamQuery"));
  return true;
}

}  // namespace sbp::cuda
