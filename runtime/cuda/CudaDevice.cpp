#include "runtime/cuda/CudaDevice.h"

#include <cstddef>
#include <numeric>

#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

constexpr size_t kNumQueues = 2;

}  // namespace

absl::StatusOr<std::unique_ptr<CudaDevice>> CudaDevice::open(
    std::unique_ptr<Gpu> gpu, const plan::Plan& plan, int64_t arenaBytes,
    const Streaming& streaming, WaitUntil waitUntil) {
  SBP_ASSIGN_OR_RETURN(Stream stream, Stream::create(*gpu));
  std::unique_ptr<CudaDevice> device(new CudaDevice(
      std::move(gpu), std::move(stream), plan, std::move(waitUntil)));
  if (streaming.usesGraphs) device->compute_.useGraphs();
  if (!streaming.isSingle) {
    SBP_ASSIGN_OR_RETURN(device->communicate_, Stream::create(device->gpu()));
    device->edges_.emplace(kNumQueues);
  }
  SBP_RETURN_IF_ERROR(device->findKernels());
  SBP_RETURN_IF_ERROR(device->allocate(arenaBytes));
  return device;
}

CudaDevice::~CudaDevice() {
  // After an error, some work may still use the memory.
  if (!gpu_->isAbandoned()) wait().IgnoreError();
  gpu_->free(arena_);
  gpu_->free(sums_);
}

absl::Status CudaDevice::findKernels() {
  for (const plan::Kernel& kernel : plan_.kernels) {
    std::vector<Launch>& launches = kernels_.emplace_back();
    for (const plan::Launch& planned : kernel.launches) {
      SBP_ASSIGN_OR_RETURN(launches.emplace_back(), find(planned));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Launch> CudaDevice::find(const plan::Launch& planned) const {
  SBP_ASSIGN_OR_RETURN(const Function function, gpu_->find(planned.function));
  return Launch{function, static_cast<unsigned>(planned.blocks),
                static_cast<unsigned>(planned.threads)};
}

absl::Status CudaDevice::allocate(int64_t arenaBytes) {
  const absl::StatusOr<Address> arena = gpu_->allocate(arenaBytes);
  if (absl::IsResourceExhausted(arena.status()))
    return error(
        "this rank needs {}; sbpc --memory-limit makes a program that needs "
        "less, and so do more ranks",
        textOf(arena.status()));
  SBP_RETURN_IF_ERROR(arena.status());
  arena_ = *arena;
  return clear(0, arenaBytes);
}

absl::Status CudaDevice::startRun(device::Queue queue,
                                  absl::Span<const device::Access> accesses) {
  if (!edges_) return absl::OkStatus();
  const auto communicate = static_cast<size_t>(device::Queue::kCommunicate);
  if (queue == device::Queue::kCommunicate)
    SBP_RETURN_IF_ERROR(communicate_->mark(edges_->numRuns(communicate)));
  for (const device::Edge& edge :
       edges_->add(static_cast<size_t>(queue), accesses)) {
    if (edge.stream != communicate) {
      SBP_RETURN_IF_ERROR(communicate_->follow(compute_));
    } else if (edge.run == edges_->numRuns(communicate)) {
      SBP_RETURN_IF_ERROR(compute_.follow(*communicate_));
    } else {
      SBP_RETURN_IF_ERROR(compute_.follow(*communicate_, edge.run));
    }
  }
  return absl::OkStatus();
}

absl::Status CudaDevice::run(int64_t kernel,
                             absl::Span<const int64_t> buffers) {
  addresses_.clear();
  for (int64_t buffer : buffers) addresses_.push_back(arena_ + buffer);
  for (const Launch& launch : kernels_[kernel])
    SBP_RETURN_IF_ERROR(
        compute_.collect(launch, addresses_, plan_.kernels[kernel].name));
  return absl::OkStatus();
}

absl::Status CudaDevice::reserveSums(int64_t count) {
  if (count <= numSums_) return absl::OkStatus();
  gpu_->free(std::exchange(sums_, 0));
  numSums_ = count;
  SBP_ASSIGN_OR_RETURN(sums_, gpu_->allocate(count * sizeof(double)));
  return absl::OkStatus();
}

absl::StatusOr<double> CudaDevice::sumOfSquares(
    const std::vector<plan::Gradient>& gradients) {
  int64_t count = 0;
  for (const plan::Gradient& gradient : gradients)
    count += gradient.squares->blocks;
  if (count == 0) return 0;
  SBP_RETURN_IF_ERROR(reserveSums(count));
  std::vector<device::Access> accesses;
  for (const plan::Gradient& gradient : gradients)
    accesses.push_back(
        {gradient.buffer,
         gradient.numElements * plan::byteWidth(gradient.elementType),
         /*isWrite=*/false});
  SBP_RETURN_IF_ERROR(startRun(device::Queue::kCompute, accesses));
  Address next = sums_;
  for (const plan::Gradient& gradient : gradients) {
    const auto [known, isNew] =
        squares_.try_emplace(gradient.squares->function);
    if (isNew) {
      SBP_ASSIGN_OR_RETURN(known->second, find(*gradient.squares));
    }
    addresses_ = {arena_ + gradient.buffer, next};
    SBP_RETURN_IF_ERROR(
        compute_.collect(known->second, addresses_, known->first));
    next += gradient.squares->blocks * sizeof(double);
  }
  const auto bytes = static_cast<int64_t>(count * sizeof(double));
  SBP_ASSIGN_OR_RETURN(std::byte* const copy, readCopy_.ofSize(bytes));
  SBP_RETURN_IF_ERROR(compute_.copyToHost(copy, sums_, bytes));
  SBP_RETURN_IF_ERROR(waitForCompute());
  const auto* sums = reinterpret_cast<const double*>(copy);
  return std::accumulate(sums, sums + count, 0.0);
}

absl::Status CudaDevice::clear(int64_t buffer, int64_t bytes) {
  return compute_.clear(arena_ + buffer, bytes);
}

absl::Status CudaDevice::setNumber(int64_t buffer, int64_t number) {
  return compute_.setNumber(arena_ + buffer, number);
}

absl::Status CudaDevice::wait() {
  if (!edges_) return waitForCompute();
  SBP_RETURN_IF_ERROR(compute_.follow(*communicate_));
  SBP_RETURN_IF_ERROR(waitForCompute());
  edges_->end(static_cast<size_t>(device::Queue::kCommunicate));
  return absl::OkStatus();
}

absl::Status CudaDevice::waitForCompute() {
  absl::Status failed;
  const absl::Status waited = waitUntil_([&] {
    const absl::StatusOr<bool> isDone = compute_.isDone();
    failed = isDone.status();
    return !isDone.ok() || *isDone;
  });
  if (!waited.ok()) gpu_->abandon();
  bytesInCopy_ = 0;
  if (edges_) edges_->end(static_cast<size_t>(device::Queue::kCompute));
  return waited.ok() ? failed : waited;
}

absl::Status CudaDevice::upload(Address to, const void* from, int64_t bytes) {
  SBP_RETURN_IF_ERROR(compute_.copyFromHost(to, from, bytes));
  return waitForCompute();
}

absl::Status CudaDevice::read(int64_t offset, int64_t bytes,
                              device::ReadBytes use) {
  SBP_ASSIGN_OR_RETURN(std::byte* const copy, readCopy_.ofSize(bytes));
  SBP_RETURN_IF_ERROR(
      startRun(device::Queue::kCompute, {{offset, bytes, /*isWrite=*/false}}));
  SBP_RETURN_IF_ERROR(compute_.copyToHost(copy, arena_ + offset, bytes));
  SBP_RETURN_IF_ERROR(waitForCompute());
  return use(copy);
}

absl::Status CudaDevice::write(int64_t offset, int64_t bytes,
                               device::WriteBytes fill) {
  if (bytesInCopy_ > 0 && bytesInCopy_ + bytes > writeCopy_.pinnedBytes())
    SBP_RETURN_IF_ERROR(waitForCompute());
  const int64_t begin = bytesInCopy_, end = begin + bytes;
  SBP_ASSIGN_OR_RETURN(std::byte* const copy, writeCopy_.ofSize(end));
  SBP_RETURN_IF_ERROR(fill(copy + begin));
  SBP_RETURN_IF_ERROR(
      startRun(device::Queue::kCompute, {{offset, bytes, /*isWrite=*/true}}));
  SBP_RETURN_IF_ERROR(
      compute_.copyFromHost(arena_ + offset, copy + begin, bytes));
  // bytesInCopy_ counts pinned memory only, so other memory must be copied
  // before the next write.
  if (end > writeCopy_.pinnedBytes()) return waitForCompute();
  constexpr int64_t kAlignment = 64;
  bytesInCopy_ = (end + kAlignment - 1) / kAlignment * kAlignment;
  return absl::OkStatus();
}

}  // namespace sbp::cuda
