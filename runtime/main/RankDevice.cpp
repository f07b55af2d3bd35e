#include "runtime/main/RankDevice.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "runtime/bootstrap/Environment.h"
#include "runtime/communication/RoutedCollectives.h"
#include "runtime/communication/StagedCollectives.h"
#include "runtime/communication/StagingLayout.h"
#include "runtime/cuda/Gpu.h"
#include "runtime/cuda/PeerCollectives.h"
#include "runtime/device/CpuDevice.h"
#include "runtime/plan/LoopRuns.h"
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

/// Returns how a device waits: as long as the world lives.
cuda::WaitUntil waitBy(communication::Communicator& communicator) {
  return [&communicator](const std::function<bool()>& isReady) {
    return communicator.waitFor(isReady);
  };
}

}  // namespace

std::vector<int64_t> hostBytes(const plan::Plan& plan, size_t entry) {
  if (!plan.isForGpus()) return execute::arenaBytes(plan, entry);
  std::vector<int64_t> bytes;
  for (int64_t rank = 0; rank < plan.numRanks(); ++rank)
    bytes.push_back(StagingLayout(plan, entry, rank).bytes());
  return bytes;
}

std::vector<plan::Transfer> transfersOf(const plan::Plan& plan, size_t entry) {
  std::vector<plan::Transfer> transfers = plan.entries[entry].transfers;
  const int64_t stepsAtOnce = plan::stepsAtOnce(plan, entry);
  for (plan::Transfer& transfer : transfers) transfer.times *= stepsAtOnce;
  return transfers;
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
  SBP_ASSIGN_OR_RETURN(
      std::unique_ptr<cuda::Gpu> gpu,
      cuda::Gpu::open(localRankOf(communicator, options), options.mayShareGpu));
  SBP_RETURN_IF_ERROR(gpu->load(code.images.front()));
  SBP_ASSIGN_OR_RETURN(
      std::unique_ptr<cuda::CudaDevice> device,
      cuda::CudaDevice::open(
          std::move(gpu), plan,
          plan.programOf(communicator.rank()).entries[entry].arenaBytes,
          waitBy(communicator)));
  result.gpu_ = std::make_unique<GpuParts>(plan, entry, *device);
  result.device_ = std::move(device);
  return result;
}

absl::Status RankDevice::connect(const Options& options) {
  if (!gpu_) return absl::OkStatus();
  SBP_RETURN_IF_ERROR(checkNotShared(options));
  const plan::Plan& plan = gpu_->plan;
  const int64_t rank = communicator_->rank();
  std::vector<communication::Route> routes;
  if (options.collectives != CollectivesChoice::kStaged) {
    SBP_ASSIGN_OR_RETURN(gpu_->peers,
                         cuda::Peers::connect(gpu_->device,
                                              cuda::PeerCollectives::layoutFor(
                                                  plan.groups, gpu_->transfers),
                                              *communicator_));
    routes.push_back(
        {std::make_unique<cuda::PeerCollectives>(
             rank, plan.groups, gpu_->transfers, gpu_->device, gpu_->peers,
             waitBy(*communicator_)),
         [&peers = gpu_->peers](const std::vector<int64_t>& ranks) {
           return peers.whyNot(ranks);
         }});
  }
  if (options.collectives != CollectivesChoice::kPeer)
    routes.push_back({std::make_unique<communication::StagedCollectives>(
                          gpu_->device, *communicator_,
                          StagingLayout(plan, gpu_->entry, rank)),
                      [](const std::vector<int64_t>&) { return ""; }});
  gpu_->collectives = std::make_unique<communication::RoutedCollectives>(
      rank, plan.groups, gpu_->transfers, std::move(routes));
  return absl::OkStatus();
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
      gpu_ ? *gpu_->collectives : *communicator_;
  return {*communicator_, collectives, *device_};
}

}  // namespace sbp::program
