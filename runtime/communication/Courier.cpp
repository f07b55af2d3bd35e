#include "runtime/communication/Courier.h"

#include <cstring>

#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

/// Copies the rows of `parcel` one after the other to `packed`.
void pack(const Parcel& parcel, const std::byte* buffer, std::byte* packed) {
  for (Transfer rows : parcel.rows) {
    rows.destination = packedPlaces(rows.shape);
    copyRows(rows, buffer, packed);
    packed += rows.bytes();
  }
}

void unpack(const Parcel& parcel, const std::byte* packed, std::byte* buffer) {
  for (Transfer rows : parcel.rows) {
    rows.source = packedPlaces(rows.shape);
    copyRows(rows, packed, buffer);
    packed += rows.bytes();
  }
}

}  // namespace

template <typename Predicate>
absl::Status Courier::waitUntil(const Predicate& isReady) {
  const bool isAlive = waiter.until([&] {
    if (exchange) exchange->progress();
    return isReady();
  });
  return isAlive ? absl::OkStatus() : waiter.endOfWorld();
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
  for (const Message& message : messages)
    SBP_RETURN_IF_ERROR(exchange->finish(message.operation));
  return absl::OkStatus();
}

absl::Status Courier::startReceive(const PreparedTransfer& transfer,
                                   int64_t /*buffer*/, int64_t occurrence) {
  const int64_t cell = transfer.firstCell + occurrence;
  const uint64_t number = ++numReceived[cell];
  Messages messages;
  for (const Parcel& parcel : transfer.received) {
    if (isMapped(parcel.peer)) continue;
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
  const uint64_t number = numReceived[cell];
  const RankMemory& mine = peers[rank];
  std::byte* place = mine.arena() + buffer;
  Messages messages;
  if (const auto found = receiving.find(cell); found != receiving.end()) {
    messages = std::move(found->second);
    receiving.erase(found);
  }
  auto message = messages.begin();
  for (const Parcel& parcel : transfer.received) {
    if (parcel.peer != rank) numBytesReceived += parcel.bytes();
    if (!isMapped(parcel.peer)) {
      SBP_RETURN_IF_ERROR(exchange->finishReceive(
          parcel.peer, message->operation, message->packed.size()));
      unpack(parcel, message->packed.data(), place);
      ++message;
      continue;
    }
    const RankMemory& theirs = peers[parcel.peer];
    const SendCell& shown = theirs.sendCell(cell);
    SBP_RETURN_IF_ERROR(waitUntil([&] {
      return shown.number.load(std::memory_order_acquire) >= number;
    }));
    for (const Transfer& rows : parcel.rows)
      copyRows(rows, theirs.arena() + shown.buffer, place);
  }
  mine.receiveCell(cell).store(number, std::memory_order_release);
  return absl::OkStatus();
}

}  // namespace sbp::communication
