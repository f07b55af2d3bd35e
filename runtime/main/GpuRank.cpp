#include "runtime/main/GpuRank.h"

#include <map>
#include <utility>

#include "runtime/bootstrap/Environment.h"
#include "runtime/communication/RoutedCollectives.h"
#include "runtime/communication/StagedCollectives.h"
#include "runtime/communication/StagingLayout.h"
#include "runtime/cuda/Gpu.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/status/Status.h"

namespace sbp::program {
namespace {

/// Returns the number of the rank among those of its host.
int64_t localRankOf(const communication::Communicator& communicator,
                    const Options& options) {
  if (options.isInProcess) return communicator.rank();
  const auto environment = bootstrap::readEnvironment();
  return environment.ok() ? environment->localRank : 0;
}

}  // namespace

std::vector<plan::Transfer> transfersOf(const plan::Plan& plan, size_t entry) {
  std::vector<plan::Transfer> transfers = plan.entries[entry].transfers;
  const int64_t stepsAtOnce = plan::stepsAtOnce(plan, entry);
  for (plan::Transfer& transfer : transfers) transfer.times *= stepsAtOnce;
  return transfers;
}

absl::StatusOr<std::unique_ptr<GpuRank>> GpuRank::open(
    const plan::Plan& plan, size_t entry,
    const std::vector<cuda::Image>& images, const Options& options,
    communication::Communicator& communicator) {
  if (images.empty())
    return error("this program is damaged: it has no kernels for GPUs");
  std::unique_ptr<GpuRank> rank(new GpuRank(plan, entry, communicator));
  SBP_ASSIGN_OR_RETURN(
      std::unique_ptr<cuda::Gpu> gpu,
      cuda::Gpu::open(localRankOf(communicator, options), options.mayShareGpu));
  SBP_RETURN_IF_ERROR(gpu->load(images));
  SBP_ASSIGN_OR_RETURN(
      rank->device_,
      cuda::CudaDevice::open(
          std::move(gpu), plan,
          plan.programOf(communicator.rank()).entries[entry].arenaBytes,
          options.hasOneStream, rank->waiting()));
  return rank;
}

GpuRank::~GpuRank() {
  if (!device_) return;
  if (!device_->gpu().isAbandoned()) device_->wait().IgnoreError();
  withPeers_ = nullptr;
}

absl::Status GpuRank::waitUntil(const std::function<bool()>& isReady) {
  return communicator_.waitForDevice(isReady, [this] {
    return withPeers_ ? withPeers_->now() : communication::DeviceWork();
  });
}

absl::Status GpuRank::connect(const Options& options) {
  if (!options.mayShareGpu) SBP_RETURN_IF_ERROR(checkNotShared());
  const int64_t rank = communicator_.rank();
  std::vector<communication::Route> routes;
  if (options.collectives != CollectivesChoice::kStaged) {
    SBP_ASSIGN_OR_RETURN(
        peers_, cuda::Peers::connect(
                    *device_,
                    cuda::PeerCollectives::layoutFor(plan_.groups, transfers_),
                    communicator_));
    const bool takesInOrder = plan_.entries[entry_].takesInOrder;
    auto withPeers = std::make_unique<cuda::PeerCollectives>(
        rank, plan_.groups, transfers_, *device_, peers_, waiting());
    withPeers_ = withPeers.get();
    routes.push_back(
        {std::move(withPeers),
         [this](const std::vector<int64_t>& ranks) {
           return peers_.whyNot(ranks);
         },
         takesInOrder ? ""
                      : "this program takes messages in an order in which GPUs "
                        "might wait for ever; --collectives staged carries "
                        "them"});
    if (!takesInOrder && !transfers_.empty())
      notes_.push_back(
          "messages between stages go through the memory of the host: the "
          "program takes them in an order in which GPUs might wait for ever");
    if (const std::string obstacle = peers_.obstacleOnHost(); !obstacle.empty())
      notes_.push_back(fmt::format(
          "collectives go through the memory of the host: {}", obstacle));
  }
  if (options.collectives != CollectivesChoice::kPeer)
    routes.push_back({std::make_unique<communication::StagedCollectives>(
                          *device_, communicator_,
                          communication::StagingLayout(plan_, entry_, rank)),
                      [](const std::vector<int64_t>&) { return ""; },
                      /*obstacleOfTransfers=*/""});
  collectives_ = std::make_unique<communication::RoutedCollectives>(
      rank, plan_.groups, transfers_, std::move(routes));
  return absl::OkStatus();
}

absl::Status GpuRank::checkNotShared() const {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> gpus,
                       communicator_.allGather(device_->gpu().describe()));
  std::map<std::string, size_t> firstRanks;
  for (size_t rank = 0; rank < gpus.size(); ++rank) {
    const auto [first, isNew] = firstRanks.emplace(gpus[rank], rank);
    if (!isNew)
      return error(
          "ranks {} and {} both run on {}; start one rank per GPU (each has a "
          "LOCAL_RANK or its own CUDA_VISIBLE_DEVICES), or let ranks share "
          "GPUs by --share-gpu",
          first->second, rank, gpus[rank]);
  }
  return absl::OkStatus();
}

}  // namespace sbp::program
