#include "runtime/cuda/RowMover.h"

#include <algorithm>
#include <cstddef>

#include "runtime/communication/Reduction.h"
#include "runtime/cuda/RowKernels.h"
#include "runtime/plan/Tensor.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Maximum number of blocks of a launch: two for each multiprocessor of an
/// H100.
constexpr int64_t kMostBlocks = 264;

}  // namespace

RowMover::~RowMover() {
  for (Address address : kept_) device_.gpu().free(address);
}

absl::StatusOr<Address> RowMover::allocate(int64_t bytes) {
  SBP_ASSIGN_OR_RETURN(const Address address, device_.gpu().allocate(bytes));
  kept_.push_back(address);
  return address;
}

absl::StatusOr<Address> RowMover::keep(const std::vector<int64_t>& numbers) {
  const auto bytes = static_cast<int64_t>(numbers.size() * sizeof(int64_t));
  SBP_ASSIGN_OR_RETURN(const Address address, allocate(bytes));
  SBP_RETURN_IF_ERROR(device_.upload(address, numbers.data(), bytes));
  return address;
}

absl::StatusOr<std::vector<int64_t>> RowMover::firstOwners(Address aside) {
  // The list of kAside has one buffer, at offset 0.
  SBP_ASSIGN_OR_RETURN(const Address zero, keep({0}));
  const auto list = static_cast<int64_t>(zero);
  return std::vector<int64_t>{
      static_cast<int64_t>(device_.arena()), 0,    0,
      static_cast<int64_t>(aside),           list, list};
}

absl::Status RowMover::prepare(const std::vector<RowTable>& tables,
                               std::vector<RowLaunch>& launches) {
  for (const RowTable& table : tables) {
    RowLaunch& added = launches.emplace_back();
    added.name = table.function;
    SBP_ASSIGN_OR_RETURN(added.lookUp,
                         launchOf(kLookUpFunction, table.numPlaces));
    SBP_ASSIGN_OR_RETURN(added.move,
                         launchOf(table.function, table.mostElements));
    SBP_ASSIGN_OR_RETURN(added.table, keep(table.numbers));
    SBP_ASSIGN_OR_RETURN(
        added.addresses,
        allocate(table.numPlaces * static_cast<int64_t>(sizeof(int64_t))));
  }
  return absl::OkStatus();
}

absl::StatusOr<Launch> RowMover::launchOf(const std::string& function,
                                          int64_t numItems) const {
  SBP_ASSIGN_OR_RETURN(const Function found, device_.gpu().find(function));
  const int64_t blocks = (numItems + kRowThreads - 1) / kRowThreads;
  return Launch{
      found, static_cast<unsigned>(std::clamp<int64_t>(blocks, 1, kMostBlocks)),
      kRowThreads};
}

absl::Status RowMover::run(const std::vector<RowLaunch>& launches,
                           Address owners, int64_t list, Lane& lane) const {
  for (const RowLaunch& launch : launches) {
    SBP_RETURN_IF_ERROR(lane.stream().run(
        launch.lookUp,
        {launch.table, owners, lane.board().at(list), launch.addresses},
        kLookUpFunction));
    SBP_RETURN_IF_ERROR(lane.stream().run(
        launch.move, {launch.table, launch.addresses}, launch.name));
  }
  return absl::OkStatus();
}

absl::Status RowMover::fillIdentities(
    const communication::PreparedCollective& collective,
    absl::Span<const communication::CollectiveBuffers> buffers,
    Stream& stream) const {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const communication::PreparedTensor& tensor = collective.tensors[i];
    if (!tensor.fillsIdentity) continue;
    const int64_t elementBytes = plan::byteWidth(tensor.task.elementType);
    uint64_t element = 0;
    communication::fillIdentity(tensor.task.elementType, tensor.task.reduction,
                                elementBytes,
                                reinterpret_cast<std::byte*>(&element));
    SBP_RETURN_IF_ERROR(stream.fill(device_.arena() + buffers[i].out, element,
                                    elementBytes,
                                    tensor.outBytes / elementBytes));
  }
  return absl::OkStatus();
}

std::vector<RowJob> localJobs(
    const communication::PreparedCollective& collective) {
  std::vector<RowJob> jobs;
  for (size_t tensor = 0; tensor < collective.tensors.size(); ++tensor)
    for (const communication::RowCopy& copy :
         collective.tensors[tensor].localCopies)
      jobs.push_back(
          {copy.shape,
           {RowMover::kMine, RowMover::outOf(tensor), copy.destination},
           {{RowMover::kMine, RowMover::inOf(tensor), copy.source}}});
  return jobs;
}

}  // namespace sbp::cuda
