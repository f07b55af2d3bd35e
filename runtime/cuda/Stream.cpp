#include "runtime/cuda/Stream.h"

#include <algorithm>
#include <utility>

#include "runtime/status/Status.h"

namespace sbp::cuda {

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
  std::swap(graphs_, other.graphs_);
  return *this;
}

Stream::~Stream() {
  if (!handle_) return;
  if (gpu_->isAbandoned()) {
    // To destroy graphs might wait for their work.
    static_cast<void>(graphs_.release());
    return;
  }
  graphs_.reset();
  for (EventHandle* event : events())
    if (*event) driver().eventDestroy(*event);
  driver().streamDestroy(handle_);  // does not wait
}

void Stream::useGraphs() {
  if (LaunchGraphs::areSupported(driver()))
    graphs_ = std::make_unique<LaunchGraphs>(driver(), handle_);
}

absl::Status Stream::run(const Launch& launch,
                         absl::Span<const Address> arguments,
                         const std::string& what) {
  SBP_RETURN_IF_ERROR(submit());
  return start(launch, arguments, what, driver(), handle_);
}

absl::Status Stream::collect(const Launch& launch,
                             absl::Span<const Address> arguments,
                             const std::string& what) {
  return graphs_ ? graphs_->add(launch, arguments, what)
                 : run(launch, arguments, what);
}

absl::Status Stream::submit() {
  return graphs_ ? graphs_->submit() : absl::OkStatus();
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
  SBP_RETURN_IF_ERROR(submit());
  switch (elementBytes) {
    case 1:
      return driver().check(
          driver().memsetBytes(address, element, count, handle_),
          "cuMemsetD8Async");
    case 2:
      return driver().check(
          driver().memsetHalves(address, element, count, handle_),
          "cuMemsetD16Async");
    case 4:
      return driver().check(
          driver().memsetWords(address, element, count, handle_),
          "cuMemsetD32Async");
    default:
      // Sets the lower words of all elements, then the upper words. A copy from
      // the host would need host memory that lives until the copy is done.
      for (int64_t byte : {0, 4})
        SBP_RETURN_IF_ERROR(driver().check(
            driver().memsetRows(address + byte, elementBytes,
                                static_cast<uint32_t>(element >> 8 * byte),
                                /*width=*/1, count, handle_),
            "cuMemsetD2D32Async"));
      return absl::OkStatus();
  }
}

absl::Status Stream::copyToHost(void* to, Address from, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  SBP_RETURN_IF_ERROR(submit());
  return driver().check(driver().memcpyToHost(to, from, bytes, handle_),
                        "cuMemcpyDtoHAsync");
}

absl::Status Stream::copyFromHost(Address to, const void* from, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  SBP_RETURN_IF_ERROR(submit());
  return driver().check(driver().memcpyToDevice(to, from, bytes, handle_),
                        "cuMemcpyHtoDAsync");
}

absl::Status Stream::perform(std::vector<MemoryOp>& operations) {
  SBP_RETURN_IF_ERROR(submit());
  for (size_t first = 0; first < operations.size(); first += kMostMemoryOps) {
    const size_t count = std::min(kMostMemoryOps, operations.size() - first);
    SBP_RETURN_IF_ERROR(driver().check(
        driver().streamBatchMemOp(handle_, static_cast<unsigned>(count),
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
  SBP_RETURN_IF_ERROR(submit());
  return driver().check(driver().eventRecord(marks_[mark % kNumMarks], handle_),
                        "cuEventRecord");
}

absl::Status Stream::follow(Stream& other) {
  SBP_RETURN_IF_ERROR(submit());
  SBP_RETURN_IF_ERROR(other.submit());
  SBP_RETURN_IF_ERROR(driver().check(
      driver().eventRecord(other.end_, other.handle_), "cuEventRecord"));
  return driver().check(driver().streamWaitEvent(handle_, other.end_, 0),
                        "cuStreamWaitEvent");
}

absl::Status Stream::follow(const Stream& other, int64_t mark) {
  SBP_RETURN_IF_ERROR(submit());
  return driver().check(
      driver().streamWaitEvent(handle_, other.marks_[mark % kNumMarks], 0),
      "cuStreamWaitEvent");
}

absl::StatusOr<bool> Stream::isDone() {
  SBP_RETURN_IF_ERROR(submit());
  const Result result = driver().streamQuery(handle_);
  if (result == kNotReady) return false;
  SBP_RETURN_IF_ERROR(driver().check(result, "cuStreamQuery"));
  return true;
}

}  // namespace sbp::cuda
