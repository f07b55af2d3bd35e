#include "runtime/cuda/NcclCommunicators.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/escaping.h"
#include "runtime/communication/DeviceWork.h"
#include "runtime/cuda/SharedGpu.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Largest number of blocks that a message occupies on the GPU while it waits
/// for the other rank. With more blocks a message is faster on fast links. But
/// a rank may wait in several messages at once, and meanwhile its kernels need
/// the GPU.
constexpr int kMostBlocksOfMessages = 8;

/// Fails if two ranks share a GPU and NCCL does not permit that.
absl::Status checkSharing(const NcclLibrary& nccl, const Gpu& gpu,
                          communication::Communicator& communicator) {
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> gpus,
                       communicator.allGather(gpu.uuid()));
  absl::Status mine;
  const auto sharing = ranksOnOneGpu(gpus);
  if (sharing && nccl.version < kNcclSharesGpus)
    mine = error(
        "ranks {} and {} share a GPU, which NCCL {} does not permit; NCCL {} "
        "or newer does, and so do other --collectives",
        sharing->first, sharing->second, ncclVersionText(nccl.version),
        ncclVersionText(kNcclSharesGpus));
  return communicator.agree(mine);
}

/// Returns the name of the new world, which rank 0 makes.
absl::StatusOr<NcclUniqueId> agreeOnId(
    const NcclLibrary& nccl, communication::Communicator& communicator) {
  NcclUniqueId id;
  absl::Status mine;
  std::string text;
  if (communicator.rank() == 0) {
    mine = nccl.check(nccl.getUniqueId(&id), "ncclGetUniqueId");
    text = absl::BytesToHexString({id.bytes, sizeof id.bytes});
  }
  SBP_RETURN_IF_ERROR(communicator.agree(mine));
  SBP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                       communicator.allGather(text));
  absl::HexStringToBytes(texts.front()).copy(id.bytes, sizeof id.bytes);
  return id;
}

/// Work of a thread of its own, and its status once it is done.
struct Background {
  std::atomic<bool> isDone{false};
  absl::Status status;
};

}  // namespace

absl::StatusOr<std::unique_ptr<NcclCommunicators>> NcclCommunicators::connect(
    NcclSplits splits, CudaDevice& device,
    communication::Communicator& communicator) {
  const absl::StatusOr<const NcclLibrary*> nccl = loadNccl();
  SBP_RETURN_IF_ERROR(communicator.agree(nccl.status()));
  SBP_RETURN_IF_ERROR(checkSharing(**nccl, device.gpu(), communicator));
  SBP_ASSIGN_OR_RETURN(const NcclUniqueId id, agreeOnId(**nccl, communicator));
  std::unique_ptr<NcclCommunicators> result(
      new NcclCommunicators(**nccl, std::move(splits), device,
                            communicator.rank(), communicator.size()));
  // NCCL blocks until all ranks come. So a second thread calls it, while this
  // thread watches whether the world aborts. If the second thread does not end,
  // it is detached, and the objects that it uses are never destroyed.
  auto background = std::make_shared<Background>();
  std::thread thread([&made = *result, id, background] {
    background->status = made.make(id);
    background->isDone = true;
  });
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(kMostSeconds);
  const absl::Status waited = communicator.waitForDevice(
      [&] { return background->isDone || Clock::now() >= deadline; },
      [] { return communication::DeviceWork(); });
  if (!background->isDone) {
    thread.detach();
    static_cast<void>(result.release());
    device.abandon();
    SBP_RETURN_IF_ERROR(waited);
    return error(
        "NCCL {} has not connected the ranks within {} s; NCCL_DEBUG=INFO "
        "shows "
        "what it does",
        ncclVersionText((*nccl)->version), kMostSeconds);
  }
  thread.join();
  SBP_RETURN_IF_ERROR(waited);
  SBP_RETURN_IF_ERROR(communicator.agree(background->status));
  return result;
}

NcclCommunicators::~NcclCommunicators() {
  if (device_.gpu().isAbandoned()) return;
  for (NcclHandle part : parts_)
    if (part && part != world_) nccl_.commDestroy(part);
  if (world_) nccl_.commDestroy(world_);
}

absl::Status NcclCommunicators::make(const NcclUniqueId& id) {
  SBP_RETURN_IF_ERROR(device_.gpu().makeCurrent());
  NcclConfig config;
  SBP_RETURN_IF_ERROR(nccl_.check(
      nccl_.commInitRankConfig(&world_, static_cast<int>(numRanks_), id,
                               static_cast<int>(rank_), &config),
      "ncclCommInitRankConfig"));
  for (size_t split = 0; split < splits_.all.size(); ++split)
    SBP_RETURN_IF_ERROR(makePart(splits_.all[split], isForMessages(split),
                                 &parts_.emplace_back()));
  SBP_ASSIGN_OR_RETURN(Stream stream, Stream::create(device_.gpu()));
  SBP_ASSIGN_OR_RETURN(const Address word, device_.gpu().allocate(4));
  absl::Status status = warmUp(stream, word);
  while (status.ok()) {
    const absl::StatusOr<bool> isDone = stream.isDone();
    status = isDone.status();
    if (isDone.ok() && *isDone) break;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  device_.gpu().free(word);
  return status;
}

absl::Status NcclCommunicators::makePart(const NcclSplit& split,
                                         bool isForMessages,
                                         NcclHandle* part) const {
  if (!isForMessages && split.isWorld()) {
    *part = world_;
    return absl::OkStatus();
  }
  NcclConfig config;
  if (isForMessages) {
    config.maxBlocks = kMostBlocksOfMessages;
  } else {
    // Collectives run one after the other, so they can share memory.
    config.splitShare = 1;
  }
  return nccl_.check(nccl_.commSplit(world_, split.colors[rank_],
                                     split.keys[rank_], part, &config),
                     "ncclCommSplit");
}

absl::Status NcclCommunicators::warmUp(Stream& stream, Address word) const {
  void* const memory = reinterpret_cast<void*>(word);
  SBP_RETURN_IF_ERROR(stream.clear(word, 4));
  for (size_t split = 0; split < parts_.size(); ++split) {
    const NcclHandle part = parts_[split];
    if (!part) continue;
    NcclResult result = 0;
    if (!isForMessages(split)) {
      result = nccl_.allReduce(memory, memory, 1, NcclType::kFloat32,
                               NcclReduction::kSum, part, stream.handle());
    } else if (splits_.all[split].keys[rank_] == 0) {
      result = nccl_.send(memory, 1, NcclType::kFloat32, /*peer=*/1, part,
                          stream.handle());
    } else {
      result = nccl_.receive(memory, 1, NcclType::kFloat32, /*peer=*/0, part,
                             stream.handle());
    }
    SBP_RETURN_IF_ERROR(nccl_.check(result, "the first use of NCCL"));
  }
  return absl::OkStatus();
}

bool NcclCommunicators::isForMessages(size_t split) const {
  return split >= splits_.firstOfMessages;
}

NcclHandle NcclCommunicators::ofGate(uint64_t gate) const {
  const auto found = splits_.ofGates.find(gate);
  return found == splits_.ofGates.end() ? nullptr : parts_[found->second];
}

NcclHandle NcclCommunicators::ofMessages(const MessageChannel& channel) const {
  return parts_[splits_.ofMessages.at(channel)];
}

}  // namespace sbp::cuda
