#include "runtime/main/GpuRank.h"

#include <utility>

#include "runtime/bootstrap/Environment.h"
#include "runtime/communication/StagedCollectives.h"
#include "runtime/communication/StagingLayout.h"
#include "runtime/cuda/Gpu.h"
#include "runtime/cuda/NcclCollectives.h"
#include "runtime/cuda/NcclMessages.h"
#include "runtime/cuda/NcclSplits.h"
#include "runtime/cuda/PeerBoard.h"
#include "runtime/cuda/PeerCollectives.h"
#include "runtime/cuda/SharedGpu.h"
#include "runtime/plan/LoopRuns.h"
#include "runtime/status/Status.h"

namespace sbp::program {
namespace {

/// Returns the number of this rank among the ranks of its host, from 0.
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
          options.streaming, rank->waiting()));
  return rank;
}

GpuRank::~GpuRank() {
  if (device_ && !device_->gpu().isAbandoned()) device_->wait().IgnoreError();
}

absl::Status GpuRank::waitUntil(const std::function<bool()>& isReady) {
  return communicator_.waitForDevice(isReady, [this] {
    return lanes_ ? lanes_->now() : communication::DeviceWork();
  });
}

absl::Status GpuRank::connect(const Options& options) {
  if (!options.mayShareGpu) SBP_RETURN_IF_ERROR(checkNotShared());
  using Choice = CollectivesChoice;
  const Choice choice = options.collectives;
  const bool isAuto = choice == Choice::kAuto;
  Routes routes;
  if (choice != Choice::kStaged) {
    auto lanes = cuda::RankLanes::create(
        *device_, cuda::PeerCollectives::layoutFor(plan_.groups, transfers_),
        waiting());
    if (lanes.ok()) lanes_ = *std::move(lanes);
    if (isAuto || choice == Choice::kPeer)
      SBP_RETURN_IF_ERROR(addPeers(lanes.status(), !isAuto, routes));
    if ((isAuto && peers_.haveSeveralHosts()) || choice == Choice::kNccl)
      SBP_RETURN_IF_ERROR(addNccl(lanes.status(), !isAuto, routes));
  }
  if (isAuto || choice == Choice::kStaged) addStaged(routes);
  collectives_ = std::make_unique<communication::RoutedCollectives>(
      communicator_.rank(), plan_.groups, transfers_, std::move(routes));
  return absl::OkStatus();
}

absl::Status GpuRank::addPeers(const absl::Status& lanes, bool isOnlyWay,
                               Routes& routes) {
  if (isOnlyWay) SBP_RETURN_IF_ERROR(communicator_.agree(lanes));
  absl::StatusOr<cuda::PeerBoard*> board = nullptr;
  if (lanes_)
    board = &lanes_->board();
  else
    board = lanes;
  SBP_ASSIGN_OR_RETURN(
      peers_,
      cuda::Peers::connect(
          *device_, cuda::PeerCollectives::layoutFor(plan_.groups, transfers_),
          board, communicator_));
  const bool takesInOrder = plan_.entries[entry_].takesInOrder;
  if (!isOnlyWay && !takesInOrder && !transfers_.empty())
    notes_.push_back(
        "messages between stages go through the memory of the host: the "
        "program takes them in an order in which GPUs might wait for ever");
  const std::string obstacle = peers_.obstacleOnHost();
  if (!isOnlyWay && !obstacle.empty())
    notes_.push_back(fmt::format(
        "collectives go through the memory of the host: {}", obstacle));
  // Without lanes no rank reaches this one.
  if (!lanes_) return absl::OkStatus();
  routes.push_back(
      {std::make_unique<cuda::PeerCollectives>(
           communicator_.rank(), plan_.groups, transfers_, *lanes_, peers_),
       [this](const std::vector<int64_t>& ranks) {
         return peers_.whyNot(ranks);
       },
       takesInOrder ? ""
                    : "this program takes messages in an order in which GPUs "
                      "might wait for ever; --collectives staged carries "
                      "them"});
  return absl::OkStatus();
}

absl::Status GpuRank::addNccl(const absl::Status& lanes, bool isOnlyWay,
                              Routes& routes) {
  absl::Status connected = communicator_.agree(lanes);
  if (connected.ok()) {
    const auto isCarried = [&](const std::vector<int64_t>& ranks,
                               bool isTransfer) {
      return isOnlyWay || !peers_.whyNot(ranks).empty() ||
             (isTransfer && !plan_.entries[entry_].takesInOrder);
    };
    auto nccl = cuda::NcclCommunicators::connect(
        cuda::NcclSplits(plan_, entry_, transfers_, isCarried), *device_,
        communicator_);
    connected = nccl.status();
    if (nccl.ok()) nccl_ = *std::move(nccl);
  }
  if (!connected.ok()) {
    if (isOnlyWay || device_->gpu().isAbandoned() ||
        !communicator_.abortStatus().ok())
      return connected;
    notes_.push_back(
        fmt::format("collectives between hosts go through their memory: {}",
                    textOf(connected)));
    return absl::OkStatus();
  }
  auto messages = cuda::NcclMessages::create(communicator_.rank(), plan_.groups,
                                             transfers_, *lanes_, *nccl_);
  SBP_RETURN_IF_ERROR(communicator_.agree(messages.status()));
  routes.push_back(
      {std::make_unique<cuda::NcclCollectives>(communicator_.rank(),
                                               plan_.groups, *lanes_, *nccl_,
                                               *std::move(messages)),
       [](const std::vector<int64_t>&) { return ""; },
       plan_.entries[entry_].sendsInOrder
           ? ""
           : "this program does not take the messages of a rank in the order "
             "in which they are sent, as NCCL does; --collectives staged "
             "carries them"});
  return absl::OkStatus();
}

void GpuRank::addStaged(Routes& routes) {
  routes.push_back(
      {std::make_unique<communication::StagedCollectives>(
           *device_, communicator_,
           communication::StagingLayout(plan_, entry_, communicator_.rank())),
       [](const std::vector<int64_t>&) { return ""; },
       /*obstacleOfTransfers=*/""});
}

absl::Status GpuRank::checkNotShared() const {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> gpus,
                       communicator_.allGather(device_->gpu().describe()));
  if (const auto sharing = cuda::ranksOnOneGpu(gpus))
    return error(
        "ranks {} and {} both run on {}; start one rank per GPU (each has a "
        "LOCAL_RANK or its own CUDA_VISIBLE_DEVICES), or let ranks share GPUs "
        "by --share-gpu",
        sharing->first, sharing->second, gpus[sharing->first]);
  return absl::OkStatus();
}

}  // namespace sbp::program
