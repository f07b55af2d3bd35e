#include "runtime/main/RankDevice.h"

#include <map>
#include <string>
#include <utility>

#include "runtime/bootstrap/Environment.h"
#include "runtime/communication/StagedCollectives.h"
#include "runtime/communication/StagingLayout.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/status/Status.h"

namespace sbp::program {
namespace {

using communication::StagingLayout;

/// Returns the number of the rank among those of its host.
int64_t localRankOf(const communication::Communicator& communicator,
                    const Options& options) {
  if (options.isInProcess) return communicator.rank();
  const auto environment = bootstrap::readEnvironment();
  return environment.ok() ? environment->localRank : 0;
}

}  // namespace

std::vector<int64_t> hostBytes(const plan::Plan& plan, size_t entry) {
  if (!plan.isForGpus()) return execute::arenaBytes(plan, entry);
  std::vector<int64_t> bytes;
  for (int64_t rank = 0; rank < plan.numRanks(); ++rank)
    bytes.push_back(StagingLayout(plan, entry, rank).bytes());
  return bytes;
}

absl::StatusOr<RankDevice> RankDevice::open(
    const plan::Plan& plan, size_t entry, const ProgramCode& code,
    const Options& options, communication::Communicator& communicator) {
  RankDevice result(communicator);
  if (!plan.isForGpus()) {
    result.device_ =
        std::make_unique<device::CpuDevice>(communicator.arena(), code.kernels);
    return result;
  }
  if (code.images.empty())
    return error("this program is damaged: it has no kernels for GPUs");
  const int64_t rank = communicator.rank();
  SBP_ASSIGN_OR_RETURN(
      result.device_,
      cuda::CudaDevice::open(localRankOf(communicator, options),
                             options.mayShareGpu, plan, code.images.front(),
                             plan.programOf(rank).entries[entry].arenaBytes));
  result.collectives_ = std::make_unique<communication::StagedCollectives>(
      *result.device_, communicator, StagingLayout(plan, entry, rank));
  return result;
}

absl::Status RankDevice::checkNotShared(const Options& options) const {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> devices,
                       communicator_->allGather(device_->describe()));
  if (options.mayShareGpu) return absl::OkStatus();
  std::map<std::string, size_t> firstRanks;
  for (size_t rank = 0; rank < devices.size(); ++rank) {
    if (devices[rank].empty()) continue;
    const auto [first, isNew] = firstRanks.emplace(devices[rank], rank);
    if (!isNew)
      return error(
          "ranks {} and {} both run on {}; start one rank per GPU (each has a "
          "LOCAL_RANK or its own CUDA_VISIBLE_DEVICES), or let ranks share "
          "GPUs by --share-gpu",
          first->second, rank, devices[rank]);
  }
  return absl::OkStatus();
}

execute::Rank RankDevice::rank() const {
  communication::Collectives& collectives =
      collectives_ ? *collectives_ : *communicator_;
  return {*communicator_, collectives, *device_};
}

}  // namespace sbp::program
