#include "runtime/cuda/PeerCollectives.h"

#include <algorithm>
#include <utility>

#include "runtime/communication/Reduction.h"
#include "runtime/cuda/RowKernels.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/Tensor.h"
#include "runtime/status/Status.h"

namespace sbp::cuda {

using communication::CollectiveBuffers;
using communication::Parcel;
using communication::Phase;
using communication::PreparedCollective;
using communication::PreparedTensor;
using communication::PreparedTransfer;
using communication::TensorBox;

namespace {

/// Most blocks of a launch: about two for each multiprocessor of large chips.
constexpr int64_t kMostBlocks = 264;

/// Owners of buffers in the tables of a collective: the rank, the memory in
/// which results are set aside, and the members.
constexpr int64_t kMine = 0;
constexpr int64_t kAside = 1;
constexpr int64_t kFirstMember = 2;

/// Lanes: that of collectives, that of local ones, and those of receives, by
/// source group.
constexpr int64_t kCollectiveLane = 0;
constexpr int64_t kLocalLane = 1;
constexpr int64_t kFirstReceiveLane = 2;

/// Numbers of a tensor's buffers in lists.
int64_t inOf(size_t tensor) { return 2 * static_cast<int64_t>(tensor); }
int64_t outOf(size_t tensor) { return inOf(tensor) + 1; }

}  // namespace

/// A collective with the launches of its phases.
struct PeerCollectives::Collective : PreparedCollective {
  const std::string* waitName = nullptr;  // "all_reduce over data"
  Address owners = 0;
  Address aside = 0;             // where results are set aside
  std::vector<RowLaunch> local;  // copies from `in` to `out`
  std::vector<std::vector<RowLaunch>> ofPhases;
  std::vector<RowLaunch> fromAside;  // copies from `aside` to `out`
};

/// A transfer with the launches of its receive.
struct PeerCollectives::Transfer : PreparedTransfer {
  const std::string* sendWaitName = nullptr;
  const std::string* receiveWaitName = nullptr;
  int64_t sourceGroup = 0;
  std::vector<RowLaunch> launches;
  Address owners = 0;       // of occurrence 0; those of others follow
  int64_t ownersBytes = 0;  // of one occurrence
};

BoardLayout PeerCollectives::layoutFor(
    const std::vector<plan::Group>& groups,
    const std::vector<plan::Transfer>& transfers) {
  return {communication::Gates(groups).count(),
          communication::firstCellOf(transfers,
                                     static_cast<int64_t>(transfers.size())),
          kFirstReceiveLane + static_cast<int64_t>(groups.size())};
}

PeerCollectives::PeerCollectives(int64_t rank,
                                 const std::vector<plan::Group>& groups,
                                 const std::vector<plan::Transfer>& transfers,
                                 CudaDevice& device, const Peers& peers,
                                 WaitUntil waitUntil)
    : rank_(rank),
      groups_(groups),
      transfers_(transfers),
      gates_(groups),
      device_(device),
      peers_(peers),
      waitUntil_(std::move(waitUntil)),
      layout_(layoutFor(groups, transfers)),
      collectiveLane_(peers.board(), layout_, kCollectiveLane,
                      device.communicationStream()),
      localLane_(peers.board(), layout_, kLocalLane, device.stream()),
      communicationWaits_(peers.board(), BoardLayout::kCommunicationWaits),
      computeWaits_(peers.board(), BoardLayout::kComputeWaits),
      gatesPassed_(gates_.count(), 0),
      numSent_(layout_.numCells, 0),
      numReceived_(layout_.numCells, 0) {}

PeerCollectives::~PeerCollectives() {
  for (Address address : kept_) device_.gpu().free(address);
}

absl::StatusOr<Address> PeerCollectives::keep(
    const std::vector<int64_t>& numbers) const {
  const auto bytes = static_cast<int64_t>(numbers.size() * sizeof(int64_t));
  SBP_ASSIGN_OR_RETURN(const Address address, device_.gpu().allocate(bytes));
  kept_.push_back(address);
  SBP_RETURN_IF_ERROR(device_.upload(address, numbers.data(), bytes));
  return address;
}

absl::Status PeerCollectives::addLaunches(
    const std::vector<RowTable>& tables,
    std::vector<RowLaunch>& launches) const {
  for (const RowTable& table : tables) {
    RowLaunch& added = launches.emplace_back();
    added.name = table.function;
    SBP_ASSIGN_OR_RETURN(added.lookUp,
                         launchOf(kLookUpFunction, table.numPlaces));
    SBP_ASSIGN_OR_RETURN(added.move,
                         launchOf(table.function, table.mostElements));
    SBP_ASSIGN_OR_RETURN(added.table, keep(table.numbers));
    SBP_ASSIGN_OR_RETURN(added.addresses,
                         keep(std::vector<int64_t>(table.numPlaces)));
  }
  return absl::OkStatus();
}

absl::StatusOr<Launch> PeerCollectives::launchOf(const std::string& function,
                                                 int64_t numItems) const {
  SBP_ASSIGN_OR_RETURN(const Function found, device_.gpu().find(function));
  const int64_t blocks = (numItems + kRowThreads - 1) / kRowThreads;
  return Launch{
      found, static_cast<unsigned>(std::clamp<int64_t>(blocks, 1, kMostBlocks)),
      kRowThreads};
}

absl::StatusOr<std::shared_ptr<const PreparedCollective>>
PeerCollectives::prepare(const std::vector<plan::CollectiveTask>& tasks) const {
  const plan::CollectiveTask& first = tasks.front();
  const plan::Group& group = groups_[first.group];
  auto collective = std::make_shared<Collective>();
  static_cast<PreparedCollective&>(*collective) =
      communication::prepareCollective(tasks, group, rank_);
  collective->gate = gates_.of(first.group, first.axes);
  collective->waitName =
      &*names_
            .insert(
                plan::nameOf(group, first, static_cast<int64_t>(tasks.size())))
            .first;
  std::vector<RowJob> local;
  for (size_t tensor = 0; tensor < tasks.size(); ++tensor)
    for (const communication::RowCopy& copy :
         collective->tensors[tensor].localCopies)
      local.push_back({copy.shape,
                       {kMine, outOf(tensor), copy.destination},
                       {{kMine, inOf(tensor), copy.source}}});
  SBP_RETURN_IF_ERROR(addLaunches(copyTables(local), collective->local));
  if (collective->asideBytes > 0) {
    SBP_ASSIGN_OR_RETURN(collective->aside,
                         device_.gpu().allocate(collective->asideBytes));
    kept_.push_back(collective->aside);
  }
  SBP_RETURN_IF_ERROR(prepareOwners(*collective));
  SBP_RETURN_IF_ERROR(preparePhases(*collective));
  return std::shared_ptr<const PreparedCollective>(std::move(collective));
}

absl::Status PeerCollectives::prepareOwners(Collective& collective) const {
  SBP_ASSIGN_OR_RETURN(const Address zero, keep({0}));
  std::vector<int64_t> owners;
  const auto add = [&](Address arena, Address base, Address list) {
    for (Address address : {arena, base, list})
      owners.push_back(static_cast<int64_t>(address));
  };
  add(device_.arena(), 0, 0);         // kMine
  add(collective.aside, zero, zero);  // kAside: a list of one buffer, at 0
  for (int64_t member : collective.members) {
    const Peer& peer = peers_.of(member);
    add(peer.arena, peer.board.at(0), peer.board.at(BoardLayout::kList));
  }
  SBP_ASSIGN_OR_RETURN(collective.owners, keep(owners));
  return absl::OkStatus();
}

absl::Status PeerCollectives::preparePhases(Collective& collective) const {
  const auto numMembers = static_cast<int64_t>(collective.members.size());
  const auto ownerOf = [&](int64_t member) {
    return member == collective.me ? kMine : kFirstMember + member;
  };
  std::vector<RowJob> fromAside;
  int64_t nextAside = 0;
  for (const Phase& phase : collective.phases) {
    std::vector<RowJob> jobs;
    std::vector<RowTable> tables;
    if (phase.kind == Phase::Kind::kCopy) {
      // Each rank starts with the member after it, so that not all ranks read
      // the same memory at once.
      for (int64_t i = 1; i <= numMembers; ++i) {
        const int64_t member = (collective.me + i) % numMembers;
        for (const TensorBox& box : phase.received[member].all)
          jobs.push_back(
              {box.rows.shape,
               {kMine, outOf(box.tensor), box.rows.destination},
               {{ownerOf(member),
                 phase.readsOut ? outOf(box.tensor) : inOf(box.tensor),
                 box.rows.source}}});
      }
      tables = copyTables(jobs);
    } else {
      // All members' boxes of a tensor have the same shape, so all have the
      // same number of boxes.
      const std::vector<TensorBox>& mine = phase.received[collective.me].all;
      for (size_t number = 0; number < mine.size(); ++number) {
        const TensorBox& box = mine[number];
        const PreparedTensor& tensor = collective.tensors[box.tensor];
        RowJob job = {box.rows.shape,
                      {kMine, outOf(box.tensor), box.rows.destination},
                      {}};
        if (tensor.setsAside) {
          job.target = {kAside, 0, box.rows.destination};
          job.target.rows.offset += nextAside;
          communication::RowShape whole;
          whole.rowBytes = tensor.outBytes;
          communication::RowLayout aside;
          aside.offset = nextAside;
          fromAside.push_back(
              {whole, {kMine, outOf(box.tensor), {}}, {{kAside, 0, aside}}});
          nextAside += tensor.outBytes;
        }
        for (int64_t member = 0; member < numMembers; ++member)
          job.sources.push_back(
              {ownerOf(member), inOf(box.tensor),
               phase.received[member].all[number].rows.source});
        jobs.push_back(std::move(job));
      }
      const plan::CollectiveTask& task = collective.tensors.front().task;
      if (!jobs.empty())
        tables.push_back(
            reduceTable(jobs, reduceFunction(task.elementType, task.reduction),
                        plan::byteWidth(task.elementType)));
    }
    SBP_RETURN_IF_ERROR(
        addLaunches(tables, collective.ofPhases.emplace_back()));
  }
  return addLaunches(copyTables(fromAside), collective.fromAside);
}

absl::Status PeerCollectives::launch(const std::vector<RowLaunch>& launches,
                                     Address owners, int64_t list,
                                     Lane& lane) const {
  for (const RowLaunch& launch : launches) {
    SBP_RETURN_IF_ERROR(lane.stream().run(
        launch.lookUp,
        {launch.table, owners, peers_.board().at(list), launch.addresses},
        kLookUpFunction));
    SBP_RETURN_IF_ERROR(lane.stream().run(
        launch.move, {launch.table, launch.addresses}, launch.name));
  }
  return absl::OkStatus();
}

absl::Status PeerCollectives::fill(const Collective& collective,
                                   absl::Span<const CollectiveBuffers> buffers,
                                   Stream& stream) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const PreparedTensor& tensor = collective.tensors[i];
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

void PeerCollectives::passGate(const Collective& collective) {
  const uint32_t mine = ++gatesPassed_[collective.gate];
  const int64_t gate = layout_.gate(static_cast<int64_t>(collective.gate));
  operations_.push_back({MemoryOp::kWrite32, peers_.board().at(gate), mine});
  operations_.push_back(communicationWaits_.begin(*collective.waitName));
  for (int64_t member : collective.members)
    if (member != rank_)
      operations_.push_back(
          {MemoryOp::kWait32, peers_.of(member).board.at(gate), mine});
  operations_.push_back(communicationWaits_.end());
}

communication::DeviceWork PeerCollectives::now() {
  const communication::DeviceWork communicates = communicationWaits_.now();
  const communication::DeviceWork computes = computeWaits_.now();
  // The stream that computes may wait for the other one.
  return {communicates.progress + computes.progress,
          computes.waitsIn ? computes.waitsIn : communicates.waitsIn};
}

absl::Status PeerCollectives::run(const PreparedCollective& prepared,
                                  absl::Span<const CollectiveBuffers> buffers) {
  const auto& collective = static_cast<const Collective&>(prepared);
  const PreparedTensor& first = collective.tensors.front();
  if (first.task.kind == plan::CollectiveTask::Kind::kOffset)
    return device_.setNumber(buffers.front().out, first.offsetValue);
  Lane& lane = collective.phases.empty() ? localLane_ : collectiveLane_;
  list_.clear();
  for (const CollectiveBuffers& tensor : buffers)
    list_.insert(list_.end(), {tensor.in, tensor.out});
  SBP_ASSIGN_OR_RETURN(const int64_t list, lane.list(list_, waitUntil_));
  if (!collective.phases.empty()) {
    operations_ = {{MemoryOp::kWrite64, peers_.board().at(BoardLayout::kList),
                    static_cast<uint64_t>(list)}};
    passGate(collective);
    SBP_RETURN_IF_ERROR(lane.stream().perform(operations_));
  }
  SBP_RETURN_IF_ERROR(fill(collective, buffers, lane.stream()));
  SBP_RETURN_IF_ERROR(launch(collective.local, collective.owners, list, lane));
  for (const std::vector<RowLaunch>& launches : collective.ofPhases) {
    SBP_RETURN_IF_ERROR(launch(launches, collective.owners, list, lane));
    operations_.clear();
    passGate(collective);
    SBP_RETURN_IF_ERROR(lane.stream().perform(operations_));
  }
  SBP_RETURN_IF_ERROR(
      launch(collective.fromAside, collective.owners, list, lane));
  numBytesReceived_ += collective.bytesFromOthers;
  operations_ = {lane.endOfWork()};
  return lane.stream().perform(operations_);
}

absl::StatusOr<std::shared_ptr<const PreparedTransfer>>
PeerCollectives::prepareTransfer(int64_t number) const {
  const plan::Transfer& planned = transfers_[number];
  auto transfer = std::make_shared<Transfer>();
  static_cast<PreparedTransfer&>(*transfer) =
      communication::prepareTransfer(planned, groups_, rank_);
  transfer->firstCell = communication::firstCellOf(transfers_, number);
  transfer->sendWaitName =
      &*names_.insert(communication::sendNameOf(planned, groups_)).first;
  transfer->receiveWaitName =
      &*names_.insert(communication::receiveNameOf(planned, groups_)).first;
  transfer->sourceGroup = planned.source.group;
  std::vector<RowJob> jobs;
  int64_t owner = kMine;
  for (const Parcel& parcel : transfer->received) {
    ++owner;
    for (const communication::RowCopy& copy : parcel.rows)
      jobs.push_back({copy.shape,
                      {kMine, 0, copy.destination},
                      {{owner, 0, copy.source}}});
  }
  SBP_RETURN_IF_ERROR(addLaunches(copyTables(jobs), transfer->launches));
  SBP_ASSIGN_OR_RETURN(const Address zero, keep({0}));
  std::vector<int64_t> owners;
  for (int64_t occurrence = 0; occurrence < planned.times; ++occurrence) {
    // The list of a sender is one number: the buffer in its cell.
    owners.insert(owners.end(), {static_cast<int64_t>(device_.arena()), 0, 0});
    for (const Parcel& parcel : transfer->received) {
      const Peer& peer = peers_.of(parcel.peer);
      const Address buffer =
          peer.board.at(layout_.sentBuffer(transfer->firstCell + occurrence));
      owners.insert(owners.end(),
                    {static_cast<int64_t>(peer.arena),
                     static_cast<int64_t>(buffer), static_cast<int64_t>(zero)});
    }
  }
  transfer->ownersBytes =
      static_cast<int64_t>(owners.size() * sizeof(int64_t)) / planned.times;
  SBP_ASSIGN_OR_RETURN(transfer->owners, keep(owners));
  return std::shared_ptr<const PreparedTransfer>(std::move(transfer));
}

absl::StatusOr<Lane*> PeerCollectives::receiveLane(int64_t sourceGroup) {
  const auto known = receiveLanes_.find(sourceGroup);
  if (known != receiveLanes_.end()) return &known->second;
  SBP_ASSIGN_OR_RETURN(Stream stream, Stream::create(device_.gpu()));
  receiveStreams_.push_back(std::move(stream));
  return &receiveLanes_
              .try_emplace(sourceGroup, peers_.board(), layout_,
                           kFirstReceiveLane + sourceGroup,
                           receiveStreams_.back())
              .first->second;
}

absl::Status PeerCollectives::startReceive(const Transfer& transfer,
                                           int64_t buffer, int64_t occurrence) {
  const int64_t cell = transfer.firstCell + occurrence;
  const uint32_t count = ++numReceived_[cell];
  SBP_ASSIGN_OR_RETURN(Lane* const lane, receiveLane(transfer.sourceGroup));
  Stream& stream = lane->stream();
  // Earlier work may still use the buffer.
  SBP_RETURN_IF_ERROR(stream.follow(device_.stream()));
  SBP_RETURN_IF_ERROR(stream.follow(device_.communicationStream()));
  SBP_ASSIGN_OR_RETURN(const int64_t list, lane->list({buffer}, waitUntil_));
  operations_.clear();
  for (const Parcel& parcel : transfer.received) {
    operations_.push_back(
        {MemoryOp::kWait32,
         peers_.of(parcel.peer).board.at(layout_.sentCount(cell)), count});
    if (parcel.peer != rank_) numBytesReceived_ += parcel.bytes();
  }
  SBP_RETURN_IF_ERROR(stream.perform(operations_));
  SBP_RETURN_IF_ERROR(
      launch(transfer.launches,
             transfer.owners + occurrence * transfer.ownersBytes, list, *lane));
  operations_ = {{MemoryOp::kWrite32,
                  peers_.board().at(layout_.receivedCount(cell)), count},
                 lane->endOfWork()};
  return stream.perform(operations_);
}

absl::Status PeerCollectives::run(plan::TransferTask::Kind kind,
                                  const PreparedTransfer& prepared,
                                  int64_t buffer, int64_t occurrence) {
  using Kind = plan::TransferTask::Kind;
  const auto& transfer = static_cast<const Transfer&>(prepared);
  const int64_t cell = transfer.firstCell + occurrence;
  const PeerBoard& board = peers_.board();
  operations_.clear();
  switch (kind) {
    case Kind::kStartReceive:
      return startReceive(transfer, buffer, occurrence);
    case Kind::kStartSend:
      operations_ = {{MemoryOp::kWrite64, board.at(layout_.sentBuffer(cell)),
                      static_cast<uint64_t>(buffer)},
                     {MemoryOp::kWrite32, board.at(layout_.sentCount(cell)),
                      ++numSent_[cell]}};
      break;
    case Kind::kFinishSend:
      operations_ = {communicationWaits_.begin(*transfer.sendWaitName)};
      for (const Parcel& parcel : transfer.sent)
        operations_.push_back(
            {MemoryOp::kWait32,
             peers_.of(parcel.peer).board.at(layout_.receivedCount(cell)),
             numSent_[cell]});
      operations_.push_back(communicationWaits_.end());
      return device_.communicationStream().perform(operations_);
    case Kind::kFinishReceive:
      operations_ = {computeWaits_.begin(*transfer.receiveWaitName),
                     {MemoryOp::kWait32, board.at(layout_.receivedCount(cell)),
                      numReceived_[cell]},
                     computeWaits_.end()};
      break;
  }
  return device_.stream().perform(operations_);
}

bool PeerCollectives::canFinish(plan::TransferTask::Kind finish,
                                const PreparedTransfer& transfer,
                                int64_t occurrence) const {
  const int64_t cell = transfer.firstCell + occurrence;
  const auto hasReceived = [&](int64_t rank, uint32_t count) {
    const uint32_t done =
        peers_.of(rank).board.count(layout_.receivedCount(cell));
    return static_cast<int32_t>(done - count) >= 0;
  };
  if (finish == plan::TransferTask::Kind::kFinishReceive)
    return hasReceived(rank_, numReceived_[cell]);
  return std::all_of(transfer.sent.begin(), transfer.sent.end(),
                     [&](const Parcel& parcel) {
                       return hasReceived(parcel.peer, numSent_[cell]);
                     });
}

}  // namespace sbp::cuda
