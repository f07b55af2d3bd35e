#include "runtime/communication/Exchange.h"

#include <algorithm>
#include <utility>

#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

// Fields of a tag, 16 bits each: the gate, the sender, the sequence number, and
// the signature. A receive does not select its message by the signature.
// Messages of transfers have no gate; they are identified by the cell and the
// run. The low bits of the run number suffice, because at most two runs of a
// cell are under way at the same time.
constexpr int kGroupShift = 48;
constexpr int kRankShift = 32;
constexpr int kSequenceShift = 16;
constexpr uint64_t kSequenceMask = 0xffff;
constexpr uint64_t kSignatureMask = 0xffff;
constexpr uint64_t kNoGroup = 0xffff;
constexpr uint64_t kTransfers = 0xfffe;
constexpr int kCellShift = 4;
constexpr uint64_t kRunMask = 0xf;

uint64_t makeTag(uint64_t group, int64_t sender, uint64_t sequence,
                 uint64_t signature) {
  return group << kGroupShift | static_cast<uint64_t>(sender) << kRankShift |
         (sequence & kSequenceMask) << kSequenceShift |
         (signature & kSignatureMask);
}

// Returns the tag of a message of a transfer. Cell and run share the bits that
// in other tags hold the sequence number and the signature.
uint64_t makeTransferTag(int64_t sender, int64_t cell, uint64_t number) {
  return kTransfers << kGroupShift |
         static_cast<uint64_t>(sender) << kRankShift |
         static_cast<uint64_t>(cell) << kCellShift | (number & kRunMask);
}

void ensureSize(std::vector<std::byte>& bytes, int64_t size) {
  if (static_cast<int64_t>(bytes.size()) < size) bytes.resize(size);
}

// Whether the boxes to send are contiguous in memory, so that they are sent
// from there without packing.
bool areOnePiece(const Boxes& toSend) {
  return toSend.all.size() == 1 &&
         isContiguous(toSend.all[0].rows.shape, toSend.all[0].rows.source);
}

// Whether the boxes to receive are contiguous in `out`, so that they are
// received there without unpacking.
bool goStraight(const Phase& phase, const Boxes& toReceive) {
  return phase.kind == Phase::Kind::kCopy && toReceive.all.size() == 1 &&
         isContiguous(toReceive.all[0].rows.shape,
                      toReceive.all[0].rows.destination);
}

}  // namespace

void Exchange::layOut(const PreparedCollective& collective, const Phase& phase,
                      const std::vector<bool>& isRemote) {
  const int64_t numMembers = collective.members.size();
  int64_t incomingBytes = 0;
  int64_t outgoingBytes = 0;
  incomingOffsets.assign(numMembers, 0);
  receives.assign(numMembers, {});
  for (int64_t member = 0; member < numMembers; ++member) {
    if (!isRemote[member]) continue;
    const Boxes& toReceive = phase.received[member];
    const Boxes& toSend = phase.sent[member];
    incomingOffsets[member] = incomingBytes;
    if (!goStraight(phase, toReceive))
      incomingBytes += (toReceive.bytes + 63) / 64 * 64;
    if (!areOnePiece(toSend))
      outgoingBytes = std::max(outgoingBytes, toSend.bytes);
  }
  ensureSize(incoming, incomingBytes);
  ensureSize(outgoing, outgoingBytes);
}

absl::Status Exchange::run(const PreparedCollective& collective,
                           const Phase& phase,
                           const std::vector<bool>& isRemote, uint64_t sequence,
                           std::byte* arena,
                           absl::Span<const CollectiveBuffers> buffers) {
  layOut(collective, phase, isRemote);
  const int64_t numMembers = collective.members.size();
  const int64_t me = collective.me;
  const auto mine = [&](size_t tensor) -> const std::byte* {
    return arena + (phase.readsOut ? buffers[tensor].out : buffers[tensor].in);
  };
  const auto out = [&](size_t tensor) { return arena + buffers[tensor].out; };
  for (int64_t member = 0; member < numMembers; ++member) {
    const Boxes& toReceive = phase.received[member];
    if (!isRemote[member] || toReceive.bytes == 0) continue;
    std::byte* place = incoming.data() + incomingOffsets[member];
    if (goStraight(phase, toReceive))
      place = out(toReceive.all[0].tensor) +
              toReceive.all[0].rows.destination.offset;
    SBP_ASSIGN_OR_RETURN(
        receives[member],
        ucx.receive(makeTag(collective.gate, collective.members[member],
                            sequence, collective.signature),
                    ~kSignatureMask, place, toReceive.bytes));
  }
  for (int64_t round = 1; round < numMembers; ++round) {
    const int64_t to = (me + round) % numMembers;
    const int64_t from = (me - round + numMembers) % numMembers;
    if (isRemote[to] && phase.sent[to].bytes > 0) {
      const Boxes& toSend = phase.sent[to];
      const std::byte* message = outgoing.data();
      if (areOnePiece(toSend)) {
        message = mine(toSend.all[0].tensor) + toSend.all[0].rows.source.offset;
      } else {
        std::byte* next = outgoing.data();
        for (const TensorBox& box : toSend.all) {
          packRows(box.rows, mine(box.tensor), next);
          next += box.rows.bytes();
        }
      }
      SBP_ASSIGN_OR_RETURN(
          UcxTransport::Operation sending,
          ucx.send(collective.members[to],
                   makeTag(collective.gate, collective.members[me], sequence,
                           collective.signature),
                   message, toSend.bytes));
      SBP_RETURN_IF_ERROR(wait(sending).status());
    }
    const Boxes& toReceive = phase.received[from];
    if (isRemote[from] && toReceive.bytes > 0) {
      SBP_RETURN_IF_ERROR(waitForMember(collective, from, toReceive.bytes));
      if (phase.kind == Phase::Kind::kCopy && !goStraight(phase, toReceive)) {
        const std::byte* next = received(from);
        for (const TensorBox& box : toReceive.all) {
          unpackRows(box.rows, next, out(box.tensor));
          next += box.rows.bytes();
        }
      }
    }
  }
  return flush();
}

absl::Status Exchange::send(int64_t sender, int64_t receiver, uint64_t n,
                            const void* data, int64_t bytes) {
  SBP_ASSIGN_OR_RETURN(
      UcxTransport::Operation sending,
      ucx.send(receiver, makeTag(kNoGroup, sender, n, 0), data, bytes));
  SBP_RETURN_IF_ERROR(wait(sending).status());
  return flush();
}

absl::Status Exchange::receive(int64_t sender, uint64_t n, void* data,
                               int64_t bytes) {
  SBP_ASSIGN_OR_RETURN(UcxTransport::Operation receiving,
                       ucx.receive(makeTag(kNoGroup, sender, n, 0),
                                   ~kSignatureMask, data, bytes));
  SBP_ASSIGN_OR_RETURN(const UcxTransport::Arrival arrival, wait(receiving));
  if (arrival.bytes == bytes) return absl::OkStatus();
  return absl::InternalError(
      fmt::format("rank {} sends {} bytes where {} are expected", sender,
                  arrival.bytes, bytes));
}

absl::StatusOr<UcxTransport::Operation> Exchange::startSend(
    int64_t sender, int64_t receiver, int64_t cell, uint64_t number,
    const void* data, int64_t bytes) {
  return ucx.send(receiver, makeTransferTag(sender, cell, number), data, bytes);
}

absl::StatusOr<UcxTransport::Operation> Exchange::startReceive(
    int64_t sender, int64_t cell, uint64_t number, void* data, int64_t bytes) {
  return ucx.receive(makeTransferTag(sender, cell, number), ~uint64_t{0}, data,
                     bytes);
}

absl::Status Exchange::finishReceive(int64_t sender,
                                     const UcxTransport::Operation& operation,
                                     int64_t bytes) {
  SBP_ASSIGN_OR_RETURN(const UcxTransport::Arrival arrival, wait(operation));
  if (arrival.bytes == bytes) return absl::OkStatus();
  return absl::InternalError(
      fmt::format("rank {} sends {} bytes of a transfer where {} are expected",
                  sender, arrival.bytes, bytes));
}

absl::Status Exchange::flush() {
  SBP_ASSIGN_OR_RETURN(UcxTransport::Operation flushing, ucx.flush());
  return wait(flushing).status();
}

absl::StatusOr<UcxTransport::Arrival> Exchange::wait(
    const UcxTransport::Operation& operation) {
  ucx.progress();
  // Starts a new wait whenever something has moved, so that it spins first:
  // more may follow at once.
  bool isAlive = true;
  while (isAlive && !ucx.isDone(operation)) {
    isAlive =
        waiter.until([&] { return meanwhile() || ucx.isDone(operation); });
  }
  absl::StatusOr<UcxTransport::Arrival> arrival = ucx.end(operation);
  if (!isAlive) return flag.status();
  return arrival;
}

absl::Status Exchange::waitForMember(const PreparedCollective& collective,
                                     int64_t member, int64_t bytes) {
  SBP_ASSIGN_OR_RETURN(const UcxTransport::Arrival arrival,
                       wait(std::exchange(receives[member], {})));
  const uint64_t mine = collective.signature & kSignatureMask;
  const uint64_t theirs = arrival.tag & kSignatureMask;
  if (theirs == mine && arrival.bytes == bytes) return absl::OkStatus();
  return mismatch(collective.members[collective.me], mine,
                  collective.members[member], theirs);
}

}  // namespace sbp::communication
