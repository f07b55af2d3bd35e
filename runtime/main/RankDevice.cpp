#include "runtime/main/RankDevice.h"

#include <utility>

#include "runtime/bootstrap/Environment.h"
#include "runtime/communication/StagedCollectives.h"
#include "runtime/communication/StagingLayout.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/status/Status.h"

namespace sbp::program {

using communication::StagingLayout;

std::vector<int64_t> hostBytes(const plan::Plan& plan, size_t entry) {
  if (!plan.isForGpus()) return execute::arenaBytes(plan, entry);
  std::vector<int64_t> bytes;
  for (int64_t rank = 0; rank < plan.numRanks(); ++rank)
    bytes.push_back(StagingLayout(plan, entry, rank).bytes());
  return bytes;
}

absl::StatusOr<RankDevice> RankDevice::open(
    const plan::Plan& plan, size_t entry, const ProgramCode& code,
    communication::Communicator& communicator) {
  RankDevice result(communicator);
  if (!plan.isForGpus()) {
    result.device_ =
        std::make_unique<device::CpuDevice>(communicator.arena(), code.kernels);
    return result;
  }
  const int64_t rank = communicator.rank();
  const auto environment = bootstrap::readEnvironment();
  const int64_t ordinal = environment.ok() ? environment->localRank : 0;
  SBP_ASSIGN_OR_RETURN(result.device_,
                       cuda::CudaDevice::open(
                           static_cast<int>(ordinal), plan, code.images.front(),
                           plan.programOf(rank).entries[entry].arenaBytes));
  result.collectives_ = std::make_unique<communication::StagedCollectives>(
      *result.device_, communicator, StagingLayout(plan, entry, rank));
  return result;
}

execute::Rank RankDevice::rank() const {
  communication::Collectives& collectives =
      collectives_ ? *collectives_ : *communicator_;
  return {*communicator_, collectives, *device_};
}

}  // namespace sbp::program
