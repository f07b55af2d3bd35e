#include "runtime/communication/Exchange.h"

#include <algorithm>
#include <utility>

#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

// A tag: whose message, in which group, the how-manieth.
constexpr int kGroupShift = 48;
constexpr int kRankShift = 24;
constexpr uint64_t kSequenceMask = (uint64_t{1} << kRankShift) - 1;
constexpr uint64_t kNoGroup = 0xffff;

uint64_t makeTag(uint64_t group, int64_t sender, uint64_t sequence) {
  return group << kGroupShift | static_cast<uint64_t>(sender) << kRankShift |
         (sequence & kSequenceMask);
}

void ensureSize(std::vector<std::byte>& bytes, int64_t size) {
  if (static_cast<int64_t>(bytes.size()) < size) bytes.resize(size);
}

// A received box of a copy goes straight to its place if it lies in one piece.
bool isInPlace(const Phase& phase, const Transfer& pull) {
  return phase.kind == Phase::Kind::kCopy &&
         isContiguous(pull.shape, pull.destination);
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
    const Transfer& pull = phase.pulls[member];
    incomingOffsets[member] = incomingBytes;
    if (!isInPlace(phase, pull)) {
      incomingBytes += (pull.bytes() + 63) / 64 * 64;
    }
    outgoingBytes = std::max(outgoingBytes, phase.gives[member].bytes());
  }
  ensureSize(incoming, incomingBytes);
  ensureSize(outgoing, outgoingBytes);
}

absl::Status Exchange::run(const PreparedCollective& collective,
                           const Phase& phase,
                           const std::vector<bool>& isRemote, uint64_t sequence,
                           const std::byte* mine, std::byte* out) {
  layOut(collective, phase, isRemote);
  const int64_t numMembers = collective.members.size();
  const int64_t me = collective.me;
  for (int64_t member = 0; member < numMembers; ++member) {
    const Transfer& pull = phase.pulls[member];
    if (!isRemote[member] || pull.bytes() == 0) continue;
    std::byte* place = isInPlace(phase, pull)
                           ? out + pull.destination.offset
                           : incoming.data() + incomingOffsets[member];
    SBP_ASSIGN_OR_RETURN(
        receives[member],
        ucx.receive(
            makeTag(collective.group, collective.members[member], sequence),
            place, pull.bytes()));
  }
  for (int64_t round = 1; round < numMembers; ++round) {
    const int64_t to = (me + round) % numMembers;
    const int64_t from = (me - round + numMembers) % numMembers;
    if (isRemote[to] && phase.gives[to].bytes() > 0) {
      const Transfer& give = phase.gives[to];
      const std::byte* rows = mine + give.source.offset;
      if (!isContiguous(give.shape, give.source)) {
        Transfer pack = give;
        pack.destination = packedPlaces(give.shape);
        copyRows(pack, mine, outgoing.data());
        rows = outgoing.data();
      }
      SBP_ASSIGN_OR_RETURN(
          UcxTransport::Operation sending,
          ucx.send(collective.members[to],
                   makeTag(collective.group, collective.members[me], sequence),
                   rows, give.bytes()));
      SBP_RETURN_IF_ERROR(wait(sending));
    }
    if (isRemote[from]) {
      SBP_RETURN_IF_ERROR(wait(std::exchange(receives[from], {})));
      const Transfer& pull = phase.pulls[from];
      if (phase.kind == Phase::Kind::kCopy && !isInPlace(phase, pull)) {
        Transfer unpack = pull;
        unpack.source = packedPlaces(pull.shape);
        copyRows(unpack, received(from), out);
      }
    }
  }
  return flush();
}

absl::Status Exchange::send(int64_t sender, int64_t receiver, uint64_t n,
                            const void* data, int64_t bytes) {
  SBP_ASSIGN_OR_RETURN(
      UcxTransport::Operation sending,
      ucx.send(receiver, makeTag(kNoGroup, sender, n), data, bytes));
  SBP_RETURN_IF_ERROR(wait(sending));
  return flush();
}

absl::Status Exchange::receive(int64_t sender, uint64_t n, void* data,
                               int64_t bytes) {
  SBP_ASSIGN_OR_RETURN(UcxTransport::Operation receiving,
                       ucx.receive(makeTag(kNoGroup, sender, n), data, bytes));
  return wait(receiving);
}

absl::Status Exchange::flush() {
  SBP_ASSIGN_OR_RETURN(UcxTransport::Operation flushing, ucx.flush());
  return wait(flushing);
}

absl::Status Exchange::wait(UcxTransport::Operation operation) {
  if (!operation.request) return absl::OkStatus();
  bool isDone = waiter.until([&] { return ucx.isDone(operation); });
  absl::Status status = ucx.end(operation);
  return isDone ? status : flag.status();
}

}  // namespace sbp::communication
