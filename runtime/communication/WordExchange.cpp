#include "runtime/communication/WordExchange.h"

#include <algorithm>

#include "runtime/status/Status.h"

namespace sbp::communication {
namespace {

/// Maximum number of rounds of an offer. Each round of each offer under way has
/// a cell of its own.
constexpr int64_t kMostRounds = 32;

}  // namespace

bool sendsWords(int64_t distance, int64_t numRanks) {
  return distance < numRanks && (distance & (distance - 1)) == 0;
}

absl::Status WordExchange::offer(const Words& mine) {
  const int64_t number = numOffered++;
  if (!exchange) {
    Board& board = peers[rank].board();
    board.words[number % kWordSets] = mine;
    board.numOffered.store(numOffered, std::memory_order_release);
    return absl::OkStatus();
  }
  Offer& offer = offers.emplace_back();
  offer.number = number;
  offer.held.resize(peers.size());
  offer.held[0] = mine;
  offer.distance = 1;
  return isOver(offer) ? absl::OkStatus() : startRound(offer);
}

absl::Status WordExchange::take(std::vector<Words>& all) {
  const int64_t number = numTaken++;
  all.resize(peers.size());
  if (!exchange) {
    for (size_t peer = 0; peer < peers.size(); ++peer) {
      Board& board = peers[peer].board();
      SBP_RETURN_IF_ERROR(courier.waitFor([&] {
        return board.numOffered.load(std::memory_order_acquire) > number;
      }));
      all[peer] = board.words[number % kWordSets];
    }
    return absl::OkStatus();
  }
  while (!isOver(offers.front())) {
    SBP_RETURN_IF_ERROR(courier.waitFor(
        [&] { return exchange->isDone(offers.front().receiving); }));
    SBP_RETURN_IF_ERROR(progress());
  }
  const auto numRanks = static_cast<int64_t>(peers.size());
  for (int64_t i = 0; i < numRanks; ++i)
    all[(rank - i + numRanks) % numRanks] = offers.front().held[i];
  offers.pop_front();
  return absl::OkStatus();
}

absl::Status WordExchange::progress() {
  for (Offer& offer : offers)
    while (!isOver(offer) && exchange->isDone(offer.receiving))
      SBP_RETURN_IF_ERROR(goOn(offer));
  return absl::OkStatus();
}

bool WordExchange::isOver(const Offer& offer) const {
  return offer.distance >= static_cast<int64_t>(peers.size());
}

int64_t WordExchange::numReceived(int64_t distance) const {
  return std::min(distance, static_cast<int64_t>(peers.size()) - distance);
}

absl::Status WordExchange::startRound(Offer& offer) {
  const auto numRanks = static_cast<int64_t>(peers.size());
  const int64_t cell =
      firstCell + offer.number % kWordSets * kMostRounds + offer.numRounds++;
  const auto number = static_cast<uint64_t>(offer.number / kWordSets);
  const int64_t bytes =
      numReceived(offer.distance) * static_cast<int64_t>(sizeof(Words));
  SBP_ASSIGN_OR_RETURN(
      offer.sending,
      exchange->startSend(rank, (rank + offer.distance) % numRanks, cell,
                          number, offer.held.data(), bytes));
  SBP_ASSIGN_OR_RETURN(offer.receiving,
                       exchange->startReceive(
                           (rank - offer.distance + numRanks) % numRanks, cell,
                           number, offer.held.data() + offer.distance, bytes));
  return absl::OkStatus();
}

absl::Status WordExchange::goOn(Offer& offer) {
  const auto numRanks = static_cast<int64_t>(peers.size());
  SBP_RETURN_IF_ERROR(exchange->finishReceive(
      (rank - offer.distance + numRanks) % numRanks, offer.receiving,
      numReceived(offer.distance) * static_cast<int64_t>(sizeof(Words))));
  SBP_RETURN_IF_ERROR(exchange->finish(offer.sending));
  offer.distance *= 2;
  return isOver(offer) ? absl::OkStatus() : startRound(offer);
}

}  // namespace sbp::communication
