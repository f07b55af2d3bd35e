#include "runtime/main/RankDevice.h"

#include "runtime/communication/StagingLayout.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/status/Status.h"

namespace sbp::program {

std::vector<int64_t> hostBytes(const plan::Plan& plan, size_t entry) {
  if (!plan.isForGpus()) return execute::arenaBytes(plan, entry);
  std::vector<int64_t> bytes;
  for (int64_t rank = 0; rank < plan.numRanks(); ++rank)
    bytes.push_back(communication::StagingLayout(plan, entry, rank).bytes());
  return bytes;
}

absl::StatusOr<RankDevice> RankDevice::open(
    const plan::Plan& plan, size_t entry, const ProgramCode& code,
    const Options& options, communication::Communicator& communicator) {
  RankDevice result(communicator);
  if (plan.isForGpus()) {
    SBP_ASSIGN_OR_RETURN(result.gpu_, GpuRank::open(plan, entry, code.images,
                                                    options, communicator));
  } else {
    result.cpu_ =
        std::make_unique<device::CpuDevice>(communicator.arena(), code.kernels);
  }
  return result;
}

execute::Rank RankDevice::rank() const {
  if (gpu_) return {*communicator_, gpu_->collectives(), gpu_->device()};
  return {*communicator_, *communicator_, *cpu_};
}

}  // namespace sbp::program
