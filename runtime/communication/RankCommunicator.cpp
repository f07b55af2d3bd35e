#include "runtime/communication/RankCommunicator.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <utility>

#include "runtime/communication/Reduction.h"
#include "runtime/plan/Names.h"
#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

using Kind = plan::CollectiveTask::Kind;

int64_t numCells(const RankParts& parts) {
  return firstCellOf(parts.transfers,
                     static_cast<int64_t>(parts.transfers.size()));
}

PreparedCollective makeEveryone(const RankParts& parts) {
  PreparedCollective everyone;
  everyone.gate = Gates(parts.groups).ofEveryone();
  everyone.members.resize(parts.peers.size());
  std::iota(everyone.members.begin(), everyone.members.end(), 0);
  everyone.me = parts.rank;
  return everyone;
}

}  // namespace

RankCommunicator::RankCommunicator(RankParts theParts)
    : parts(std::move(theParts)),
      isShared(
          std::all_of(parts.peers.begin(), parts.peers.end(),
                      [](const RankMemory& peer) { return peer.isMapped(); })),
      gates(parts.groups),
      waiter(*parts.flag, parts.hasOwnCore),
      exchange(parts.ucx ? std::optional<Exchange>(std::in_place, *parts.ucx,
                                                   waiter, *parts.flag)
                         : std::nullopt),
      courier(parts.rank, parts.peers, waiter, exchange ? &*exchange : nullptr,
              numCells(parts)),
      words(parts.rank, parts.peers, courier,
            isShared || !exchange ? nullptr : &*exchange, numCells(parts)),
      everyone(makeEveryone(parts)),
      gatesPassed(gates.count(), 0),
      rowLayouts(parts.peers.size()),
      sources(parts.peers.size()),
      rowBegins(parts.peers.size()),
      numSent(parts.peers.size(), 0),
      numReceived(parts.peers.size(), 0) {
  if (exchange) exchange->whileWaiting([this] { return courier.progress(); });
  everyone.name = nameOf("barrier");
  wordsName = nameOf("exchange of words");
  messagesName = nameOf("a message that lets a stage go on");
  for (size_t peer = 0; peer < parts.peers.size(); ++peer) {
    sendNames.push_back(nameOf(fmt::format("send to rank {}", peer)));
    receiveNames.push_back(nameOf(fmt::format("receive from rank {}", peer)));
  }
}

// A world of one rank never waits, so its waits need no names.
const std::string* RankCommunicator::nameOf(std::string_view wait) const {
  return activity() ? &activity()->name(wait) : nullptr;
}

absl::StatusOr<std::shared_ptr<const PreparedCollective>>
RankCommunicator::prepare(
    const std::vector<plan::CollectiveTask>& tasks) const {
  const auto numTasks = static_cast<int64_t>(tasks.size());
  if (numTasks < 1 || numTasks > plan::kMostInBucket)
    return error("a collective of {} tensors, not 1 to {}", numTasks,
                 plan::kMostInBucket);
  const plan::CollectiveTask& first = tasks.front();
  const plan::Group& group = parts.groups[first.group];
  auto collective = std::make_shared<PreparedCollective>(
      prepareCollective(tasks, group, parts.rank));
  collective->gate = gates.of(first.group, first.axes);
  for (const PreparedTensor& tensor : collective->tensors) {
    const int64_t end = std::max(tensor.task.in + tensor.inBytes,
                                 tensor.task.out + tensor.outBytes);
    if (end > parts.memory.arenaBytes())
      return error("the buffers of an {} end at {}, rank {}'s arena at {}",
                   plan::toString(first.kind), end, parts.rank,
                   parts.memory.arenaBytes());
  }
  collective->name = nameOf(plan::nameOf(group, first, numTasks));
  return std::shared_ptr<const PreparedCollective>(std::move(collective));
}

absl::Status RankCommunicator::run(
    const PreparedCollective& collective,
    absl::Span<const CollectiveBuffers> buffers) {
  currentBuffers = buffers;
  if (parts.flag->isRaised()) return parts.flag->status();
  if (collective.phases.empty()) {
    runLocally(collective);
    return absl::OkStatus();
  }
  watchdog::Wait wait(activity(), collective.name);
  return explain(runTogether(collective));
}

absl::StatusOr<std::shared_ptr<const PreparedTransfer>>
RankCommunicator::prepareTransfer(int64_t number) const {
  const plan::Transfer& transfer = parts.transfers[number];
  auto prepared = std::make_shared<PreparedTransfer>(
      communication::prepareTransfer(transfer, parts.groups, parts.rank));
  prepared->firstCell = firstCellOf(parts.transfers, number);
  prepared->sendName = nameOf(sendNameOf(transfer, parts.groups));
  prepared->receiveName = nameOf(receiveNameOf(transfer, parts.groups));
  return std::shared_ptr<const PreparedTransfer>(std::move(prepared));
}

absl::Status RankCommunicator::run(plan::TransferTask::Kind kind,
                                   const PreparedTransfer& transfer,
                                   int64_t buffer, int64_t occurrence) {
  using EndKind = plan::TransferTask::Kind;
  if (parts.flag->isRaised()) return parts.flag->status();
  switch (kind) {
    case EndKind::kStartSend:
      return explain(courier.startSend(transfer, buffer, occurrence));
    case EndKind::kStartReceive:
      return explain(courier.startReceive(transfer, buffer, occurrence));
    case EndKind::kFinishSend: {
      watchdog::Wait wait(activity(), transfer.sendName);
      return explain(courier.finishSend(transfer, occurrence));
    }
    case EndKind::kFinishReceive: {
      watchdog::Wait wait(activity(), transfer.receiveName);
      return explain(courier.finishReceive(transfer, buffer, occurrence));
    }
  }
  return absl::OkStatus();
}

bool RankCommunicator::canFinish(plan::TransferTask::Kind finish,
                                 const PreparedTransfer& transfer,
                                 int64_t occurrence) const {
  return finish == plan::TransferTask::Kind::kFinishSend
             ? courier.isSent(transfer, occurrence)
             : courier.isReceived(transfer, occurrence);
}

absl::Status RankCommunicator::waitFor(const std::function<bool()>& isReady) {
  if (parts.flag->isRaised()) return parts.flag->status();
  watchdog::Wait wait(activity(), messagesName);
  courier.progress();
  return explain(courier.waitFor(isReady));
}

absl::Status RankCommunicator::waitForDevice(
    const std::function<bool()>& isReady,
    const std::function<DeviceWork()>& work) {
  if (parts.flag->isRaised()) return parts.flag->status();
  std::optional<watchdog::Wait> wait;  // of the device for other ranks
  DeviceWork before;
  const absl::Status waited = courier.waitFor([&] {
    const bool isDone = isReady();
    if (!activity()) return isDone;
    const DeviceWork now = isDone ? DeviceWork() : work();
    if (now.progress != before.progress || now.waitsIn != before.waitsIn) {
      wait.reset();
      noteStep();
      if (now.waitsIn) wait.emplace(activity(), nameOf(*now.waitsIn));
      before = now;
    }
    return isDone;
  });
  return explain(waited);
}

void RankCommunicator::runLocally(const PreparedCollective& collective) {
  fill(collective);
  for (size_t i = 0; i < collective.tensors.size(); ++i) {
    const PreparedTensor& tensor = collective.tensors[i];
    if (tensor.task.kind == Kind::kOffset)
      std::memcpy(outOf(i), &tensor.offsetValue, sizeof(int64_t));
    for (const RowCopy& copy : tensor.localCopies)
      copyRows(copy, inOf(i), outOf(i));
  }
}

void RankCommunicator::fill(const PreparedCollective& collective) {
  for (size_t i = 0; i < collective.tensors.size(); ++i) {
    const PreparedTensor& tensor = collective.tensors[i];
    if (tensor.fillsIdentity)
      fillIdentity(tensor.task.elementType, tensor.task.reduction,
                   tensor.outBytes, outOf(i));
  }
}

absl::Status RankCommunicator::runTogether(
    const PreparedCollective& collective) {
  SBP_RETURN_IF_ERROR(enter(collective));
  fill(collective);
  for (const Phase& phase : collective.phases) {
    SBP_RETURN_IF_ERROR(runPhase(collective, phase));
    SBP_RETURN_IF_ERROR(passGate(collective));
  }
  if (collective.asideBytes > 0) takeFromAside(collective);
  numBytesReceived.store(numBytesReceived.load(std::memory_order_relaxed) +
                             collective.bytesFromOthers,
                         std::memory_order_relaxed);
  return absl::OkStatus();
}

// Publishes this rank's buffers, and checks that all members run the same
// collective.
absl::Status RankCommunicator::enter(const PreparedCollective& collective) {
  for (size_t i = 0; i < collective.tensors.size(); ++i)
    parts.memory.buffersAt(collective.gate, i) = currentBuffers[i];
  parts.memory.gate(collective.gate).signature = collective.signature;
  SBP_RETURN_IF_ERROR(passGate(collective));
  isRemote.clear();
  for (int64_t member : collective.members) {
    isRemote.push_back(!isMapped(member));
    if (isRemote.back()) continue;
    uint64_t theirs = parts.peers[member].gate(collective.gate).signature;
    if (theirs != collective.signature) {
      return mismatch(parts.rank, collective.signature, member, theirs);
    }
  }
  return absl::OkStatus();
}

absl::Status RankCommunicator::passGate(const PreparedCollective& collective) {
  const uint64_t gate = collective.gate;
  const uint64_t mine = ++gatesPassed[gate];
  parts.memory.gate(gate).passed.store(mine, std::memory_order_release);
  for (int64_t member : collective.members) {
    if (member == parts.rank || !isMapped(member)) continue;
    const std::atomic<uint64_t>& theirs = parts.peers[member].gate(gate).passed;
    bool isPassed = waiter.until([&] {
      courier.progress();
      return theirs.load(std::memory_order_acquire) >= mine;
    });
    if (!isPassed) return parts.flag->status();
  }
  return absl::OkStatus();
}

absl::Status RankCommunicator::runPhase(const PreparedCollective& collective,
                                        const Phase& phase) {
  if (std::find(isRemote.begin(), isRemote.end(), true) != isRemote.end()) {
    SBP_RETURN_IF_ERROR(exchange->run(collective, phase, isRemote,
                                      gatesPassed[collective.gate], arena(),
                                      currentBuffers));
  }
  if (phase.kind == Phase::Kind::kCopy) {
    copyMapped(collective, phase);
  } else {
    reduceAll(collective, phase);
  }
  return absl::OkStatus();
}

// Returns the buffer of a member that `phase` reads, as mapped in this process.
const std::byte* RankCommunicator::sourceBuffer(
    const PreparedCollective& collective, const Phase& phase, int64_t member,
    size_t tensor) const {
  const RankMemory& memory = parts.peers[collective.members[member]];
  const CollectiveBuffers& theirs = memory.buffersAt(collective.gate, tensor);
  return memory.arena() + (phase.readsOut ? theirs.out : theirs.in);
}

// Copies the boxes of mapped members. Each rank starts with the member after
// it, so that not all ranks read the same memory at once.
void RankCommunicator::copyMapped(const PreparedCollective& collective,
                                  const Phase& phase) {
  const int64_t numMembers = collective.members.size();
  for (int64_t i = 1; i <= numMembers; ++i) {
    const int64_t member = (collective.me + i) % numMembers;
    if (isRemote[member]) continue;
    for (const TensorBox& box : phase.received[member].all)
      copyRows(box.rows, sourceBuffer(collective, phase, member, box.tensor),
               outOf(box.tensor));
  }
}

// Combines the members' boxes. All members' boxes of a tensor have the same
// shape, so each member has the same number of boxes. Boxes that came by
// message are packed.
void RankCommunicator::reduceAll(const PreparedCollective& collective,
                                 const Phase& phase) {
  const int64_t numMembers = collective.members.size();
  const Boxes& mine = phase.received[collective.me];
  if (static_cast<int64_t>(aside.size()) < collective.asideBytes)
    aside.resize(collective.asideBytes);
  std::byte* nextAside = aside.data();
  int64_t packedOffset = 0;
  for (size_t number = 0; number < mine.all.size(); ++number) {
    const size_t index = mine.all[number].tensor;
    const PreparedTensor& tensor = collective.tensors[index];
    const RowShape& shape = mine.all[number].rows.shape;
    for (int64_t member = 0; member < numMembers; ++member) {
      rowLayouts[member] = isRemote[member]
                               ? packedLayout(shape)
                               : phase.received[member].all[number].rows.source;
      sources[member] = isRemote[member]
                            ? exchange->received(member) + packedOffset
                            : sourceBuffer(collective, phase, member, index);
    }
    packedOffset += shape.bytes();
    std::byte* out = outOf(index);
    if (tensor.setsAside)
      out = std::exchange(nextAside, nextAside + tensor.outBytes);
    const RowLayout& destination = mine.all[number].rows.destination;
    for (int64_t i = 0; i < shape.counts[0]; ++i) {
      for (int64_t j = 0; j < shape.counts[1]; ++j) {
        for (int64_t member = 0; member < numMembers; ++member) {
          rowBegins[member] =
              sources[member] + offsetOfRow(rowLayouts[member], i, j);
        }
        reduceRow(tensor.task.elementType, tensor.task.reduction,
                  rowBegins.data(), numMembers, shape.rowBytes,
                  out + offsetOfRow(destination, i, j));
      }
    }
  }
}

void RankCommunicator::takeFromAside(const PreparedCollective& collective) {
  const std::byte* next = aside.data();
  for (size_t i = 0; i < collective.tensors.size(); ++i) {
    const PreparedTensor& tensor = collective.tensors[i];
    if (!tensor.setsAside) continue;
    std::memcpy(outOf(i), next, tensor.outBytes);
    next += tensor.outBytes;
  }
}

absl::Status RankCommunicator::barrier() {
  if (!isShared) return allGather("").status();
  watchdog::Wait wait(activity(), everyone.name);
  return passGate(everyone);
}

absl::Status RankCommunicator::send(int64_t peer, const void* data,
                                    int64_t bytes) {
  watchdog::Wait wait(activity(), sendNames[peer]);
  if (!isMapped(peer)) {
    return explain(
        exchange->send(parts.rank, peer, numSent[peer]++, data, bytes));
  }
  const RankMemory& mine = parts.memory;
  for (int64_t begin = 0; begin < bytes; begin += kMailboxBytes) {
    bool isFree = mailboxPeer < 0 || waiter.until([&] {
      return parts.peers[mailboxPeer]
                 .taken(parts.rank)
                 .load(std::memory_order_acquire) ==
             mine.sent(mailboxPeer).load(std::memory_order_relaxed);
    });
    if (!isFree) return parts.flag->status();
    std::memcpy(mine.mailbox(), static_cast<const std::byte*>(data) + begin,
                std::min(kMailboxBytes, bytes - begin));
    mailboxPeer = peer;
    mine.sent(peer).fetch_add(1, std::memory_order_release);
  }
  return absl::OkStatus();
}

absl::Status RankCommunicator::receive(int64_t peer, void* data,
                                       int64_t bytes) {
  watchdog::Wait wait(activity(), receiveNames[peer]);
  if (!isMapped(peer)) {
    return explain(exchange->receive(peer, numReceived[peer]++, data, bytes));
  }
  const RankMemory& theirs = parts.peers[peer];
  std::atomic<uint64_t>& taken = parts.memory.taken(peer);
  for (int64_t begin = 0; begin < bytes; begin += kMailboxBytes) {
    bool isThere = waiter.until([&] {
      return theirs.sent(parts.rank).load(std::memory_order_acquire) >
             taken.load(std::memory_order_relaxed);
    });
    if (!isThere) return parts.flag->status();
    std::memcpy(static_cast<std::byte*>(data) + begin, theirs.mailbox(),
                std::min(kMailboxBytes, bytes - begin));
    taken.fetch_add(1, std::memory_order_release);
  }
  return absl::OkStatus();
}

absl::Status RankCommunicator::offerWords(const Words& mine) {
  if (parts.flag->isRaised()) return parts.flag->status();
  return explain(words.offer(mine));
}

absl::Status RankCommunicator::takeWords(std::vector<Words>& all) {
  if (parts.flag->isRaised()) return parts.flag->status();
  watchdog::Wait wait(activity(), wordsName);
  return explain(words.take(all));
}

absl::StatusOr<std::vector<std::string>> RankCommunicator::allGather(
    std::string_view text) {
  if (!parts.control) return std::vector<std::string>{std::string(text)};
  return parts.control->allGather(text);
}

absl::Status RankCommunicator::agree(const absl::Status& mine) {
  return parts.control ? parts.control->agree(mine) : mine;
}

void RankCommunicator::noteStep() {
  // Transfers go on between kernels.
  if (!parts.transfers.empty()) courier.progress();
  if (activity()) activity()->noteStep();
}

void RankCommunicator::fail(const absl::Status& error) {
  if (!parts.control || parts.flag->isRaised()) return;
  if (absl::IsCancelled(error)) return parts.control->interrupt();
  parts.control->fail(textOf(error));
}

absl::Status RankCommunicator::finish() {
  if (!parts.control) return absl::OkStatus();
  return parts.control->finish();
}

// Waits for the verdict of the control plane if UCX reports a broken
// connection: the death of a rank looks like this to UCX, and only the control
// plane knows which rank it was.
absl::Status RankCommunicator::explain(absl::Status status) const {
  using Clock = std::chrono::steady_clock;
  if (!absl::IsUnavailable(status)) return status;
  auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(parts.verdictSeconds));
  waiter.until([&] { return Clock::now() > deadline; });
  return parts.flag->isRaised() ? parts.flag->status() : status;
}

}  // namespace sbp::communication
