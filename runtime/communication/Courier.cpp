#include "runtime/communication/Courier.h"

#include <algorithm>
#include <utility>

#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

/// Copies the rows of `parcel` to `packed`, contiguously.
void pack(const Parcel& parcel, const std::byte* buffer, std::byte* packed) {
  for (const RowCopy& rows : parcel.rows) {
    packRows(rows, buffer, packed);
    packed += rows.bytes();
  }
}

void unpack(const Parcel& parcel, const std::byte* packed, std::byte* buffer) {
  for (const RowCopy& rows : parcel.rows) {
    unpackRows(rows, packed, buffer);
    packed += rows.bytes();
  }
}

}  // namespace

// Starts a new wait whenever something has moved, so that it spins first: more
// may follow at once.
template <typename Predicate>
absl::Status Courier::waitUntil(const Predicate& isReady) {
  while (!isReady()) {
    const bool isAlive = waiter.until([&] { return progress() || isReady(); });
    if (!isAlive) return waiter.endOfWorld();
  }
  return absl::OkStatus();
}

absl::Status Courier::waitFor(const std::function<bool()>& isReady) {
  return waitUntil(isReady);
}

bool Courier::areDone(const std::map<int64_t, Messages>& messages,
                      int64_t cell) const {
  const auto found = messages.find(cell);
  return found == messages.end() ||
         std::all_of(found->second.begin(), found->second.end(),
                     [&](const Message& message) {
                       return exchange->isDone(message.operation);
                     });
}

bool Courier::isSent(const PreparedTransfer& transfer,
                     int64_t occurrence) const {
  const int64_t cell = transfer.firstCell + occurrence;
  const auto isTaken = [&](const Parcel& parcel) {
    return !isMapped(parcel.peer) ||
           peers[parcel.peer].receiveCell(cell).load(
               std::memory_order_acquire) >= numSent[cell];
  };
  return std::all_of(transfer.sent.begin(), transfer.sent.end(), isTaken) &&
         areDone(sending, cell);
}

bool Courier::isReceived(const PreparedTransfer& transfer,
                         int64_t occurrence) const {
  const int64_t cell = transfer.firstCell + occurrence;
  return pulls.count(cell) == 0 && areDone(receiving, cell);
}

bool Courier::progress() {
  bool hasMoved = exchange && exchange->progress();
  for (auto next = pulls.begin(); next != pulls.end();) {
    auto& [cell, pull] = *next;
    hasMoved |= copyReady(cell, pull);
    if (pull.missing.empty()) {
      peers[rank].receiveCell(cell).store(pull.number,
                                          std::memory_order_release);
      next = pulls.erase(next);
    } else {
      ++next;
    }
  }
  return hasMoved;
}

// Copies the parcels whose senders have started. Returns whether there were
// any.
bool Courier::copyReady(int64_t cell, Pull& pull) {
  const auto isCopied = [&, cell = cell](const Parcel* parcel) {
    const RankMemory& theirs = peers[parcel->peer];
    const SendCell& shown = theirs.sendCell(cell);
    if (shown.number.load(std::memory_order_acquire) < pull.number)
      return false;
    for (const RowCopy& rows : parcel->rows)
      copyRows(rows, theirs.arena() + shown.buffer, pull.place);
    return true;
  };
  const auto rest =
      std::remove_if(pull.missing.begin(), pull.missing.end(), isCopied);
  const bool hasCopied = rest != pull.missing.end();
  pull.missing.erase(rest, pull.missing.end());
  return hasCopied;
}

// Fails if this rank waits for a transfer to itself whose other end it has not
// started, since no other rank could start it.
absl::Status Courier::checkBothStarted(const PreparedTransfer& transfer,
                                       uint64_t numOther,
                                       uint64_t number) const {
  const bool hasOwn =
      std::any_of(transfer.sent.begin(), transfer.sent.end(),
                  [&](const Parcel& parcel) { return parcel.peer == rank; });
  if (!hasOwn || numOther >= number) return absl::OkStatus();
  return absl::InternalError(fmt::format(
      "rank {} finishes one end of a transfer to itself before it starts the "
      "other",
      rank));
}

absl::Status Courier::startSend(const PreparedTransfer& transfer,
                                int64_t buffer, int64_t occurrence) {
  const int64_t cell = transfer.firstCell + occurrence;
  const uint64_t number = ++numSent[cell];
  const RankMemory& mine = peers[rank];
  Messages messages;
  for (const Parcel& parcel : transfer.sent) {
    if (isMapped(parcel.peer)) continue;
    Message& message = messages.emplace_back();
    message.peer = parcel.peer;
    message.packed.resize(parcel.bytes());
    pack(parcel, mine.arena() + buffer, message.packed.data());
    SBP_ASSIGN_OR_RETURN(
        message.operation,
        exchange->startSend(rank, parcel.peer, cell, number,
                            message.packed.data(), message.packed.size()));
  }
  if (!messages.empty()) sending[cell] = std::move(messages);
  SendCell& shown = mine.sendCell(cell);
  shown.buffer = buffer;
  shown.number.store(number, std::memory_order_release);
  return absl::OkStatus();
}

absl::Status Courier::finishSend(const PreparedTransfer& transfer,
                                 int64_t occurrence) {
  const int64_t cell = transfer.firstCell + occurrence;
  const uint64_t number = numSent[cell];
  SBP_RETURN_IF_ERROR(checkBothStarted(transfer, numReceived[cell], number));
  for (const Parcel& parcel : transfer.sent)
    if (isMapped(parcel.peer))
      SBP_RETURN_IF_ERROR(waitUntil([&] {
        return peers[parcel.peer].receiveCell(cell).load(
                   std::memory_order_acquire) >= number;
      }));
  const auto found = sending.find(cell);
  if (found == sending.end()) return absl::OkStatus();
  Messages messages = std::move(found->second);
  sending.erase(found);
  for (const Message& message : messages) {
    SBP_RETURN_IF_ERROR(
        waitUntil([&] { return exchange->isDone(message.operation); }));
    SBP_RETURN_IF_ERROR(exchange->finish(message.operation));
  }
  return absl::OkStatus();
}

absl::Status Courier::startReceive(const PreparedTransfer& transfer,
                                   int64_t buffer, int64_t occurrence) {
  const int64_t cell = transfer.firstCell + occurrence;
  const uint64_t number = ++numReceived[cell];
  Pull& pull = pulls[cell];
  pull = {number, peers[rank].arena() + buffer, {}};
  Messages messages;
  for (const Parcel& parcel : transfer.received) {
    if (isMapped(parcel.peer)) {
      pull.missing.push_back(&parcel);
      continue;
    }
    Message& message = messages.emplace_back();
    message.peer = parcel.peer;
    message.packed.resize(parcel.bytes());
    SBP_ASSIGN_OR_RETURN(
        message.operation,
        exchange->startReceive(parcel.peer, cell, number, message.packed.data(),
                               message.packed.size()));
  }
  if (!messages.empty()) receiving[cell] = std::move(messages);
  return absl::OkStatus();
}

absl::Status Courier::finishReceive(const PreparedTransfer& transfer,
                                    int64_t buffer, int64_t occurrence) {
  const int64_t cell = transfer.firstCell + occurrence;
  SBP_RETURN_IF_ERROR(
      checkBothStarted(transfer, numSent[cell], numReceived[cell]));
  SBP_RETURN_IF_ERROR(waitUntil([&] { return pulls.count(cell) == 0; }));
  Messages messages;
  if (const auto found = receiving.find(cell); found != receiving.end()) {
    messages = std::move(found->second);
    receiving.erase(found);
  }
  std::byte* place = peers[rank].arena() + buffer;
  auto message = messages.begin();
  for (const Parcel& parcel : transfer.received) {
    if (parcel.peer != rank) numBytesReceived += parcel.bytes();
    if (isMapped(parcel.peer)) continue;
    SBP_RETURN_IF_ERROR(
        waitUntil([&] { return exchange->isDone(message->operation); }));
    SBP_RETURN_IF_ERROR(exchange->finishReceive(parcel.peer, message->operation,
                                                message->packed.size()));
    unpack(parcel, message->packed.data(), place);
    ++message;
  }
  return absl::OkStatus();
}

}  // namespace sbp::communication
