// An exchange of a few words among all ranks: offered now, taken later.
//
// A rank offers its words once per step, without blocking, and takes the words
// of all ranks when it needs them: at once, or some steps later. Each take
// belongs to the oldest offer that this rank has not taken.
//
// If all ranks share memory, each writes its words on its board (RankMemory.h).
// Otherwise words are sent in log2(ranks) rounds of messages, with distances d
// = 1, 2, 4, ...: a rank holds its own words and those of the d - 1 ranks
// before it, and sends them to the rank d positions after it, except for words
// that the receiver does not need any more. An offer starts its first round;
// takes and progress() start further rounds.

#ifndef RUNTIME_COMMUNICATION_WORDEXCHANGE_H_
#define RUNTIME_COMMUNICATION_WORDEXCHANGE_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/status/status.h"
#include "runtime/communication/Courier.h"
#include "runtime/communication/Exchange.h"
#include "runtime/communication/RankMemory.h"
#include "runtime/communication/Words.h"

namespace sbp::communication {

/// Whether a rank sends words by message to the rank `distance` positions after
/// it, in a world of `numRanks`.
bool sendsWords(int64_t distance, int64_t numRanks);

/// The exchanges of words of one rank; see above.
class WordExchange {
 public:
  /// Constructs the exchange of rank `rank`, whose memory is `peers[rank]`.
  /// `exchange` is null if the memory of all ranks is mapped. Messages have the
  /// cell numbers from `firstCell` on, which no transfer may have.
  WordExchange(int64_t rank, const std::vector<RankMemory>& peers,
               Courier& courier, Exchange* exchange, int64_t firstCell)
      : rank(rank),
        peers(peers),
        courier(courier),
        exchange(exchange),
        firstCell(firstCell) {}

  /// Offers this rank's words. At most kMostWordsOffered offers may wait to be
  /// taken.
  absl::Status offer(const Words& mine);

  /// Takes the words of all ranks, in the order of ranks: those of this rank's
  /// oldest offer that it has not taken. Blocks until all ranks have made that
  /// offer, or the world ends.
  absl::Status take(std::vector<Words>& all);

  /// Finishes the rounds whose messages have come, and starts the next ones.
  absl::Status progress();

 private:
  /// An offer whose rounds are not over.
  struct Offer {
    int64_t number = 0;  // of the offer, from 0
    /// Words of this rank, then of the ranks before it, nearest first.
    std::vector<Words> held;
    int64_t distance = 0;  // distance of the round under way; 0: none
    int64_t numRounds = 0;
    UcxTransport::Operation sending, receiving;
  };

  bool isOver(const Offer& offer) const;
  absl::Status startRound(Offer& offer);
  absl::Status goOn(Offer& offer);
  int64_t numReceived(int64_t distance) const;

  int64_t rank;
  const std::vector<RankMemory>& peers;
  Courier& courier;
  Exchange* exchange;
  int64_t firstCell;
  int64_t numOffered = 0, numTaken = 0;
  std::deque<Offer> offers;  // used only if words travel by messages
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORDEXCHANGE_H_
