// An exchange of a few 64-bit words among all ranks, in which words are offered
// first and taken later.
//
// A rank offers its words once per step, without blocking, and takes the words
// of all ranks when it needs them: at once, or some steps later. The n-th take
// returns the n-th offers of all ranks.
//
// If all ranks share memory, each writes its words on its board (RankMemory.h).
// Otherwise words are sent in log2(ranks) rounds of messages, as in Bruck's
// all-gather. In the round of distance d = 1, 2, 4, ... a rank holds its own
// words and the words of the d - 1 ranks before it. It sends them to the rank d
// positions after it. In the last round it leaves out words that the receiver
// has. offer() starts the first round of its offer; take() and progress() start
// the further rounds.

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

/// Whether ranks of a world of `numRanks`, in an exchange by messages, send
/// words to the rank that is `distance` positions after them.
bool sendsWords(int64_t distance, int64_t numRanks);

/// One rank's part in the exchanges of words.
class WordExchange {
 public:
  /// Constructs the exchange of rank `rank`, whose memory is `peers[rank]`.
  /// `exchange` is null if the memory of all ranks is mapped. The messages use
  /// the cell numbers (Exchange::startSend) from `firstCell` on; no transfer
  /// may use these.
  WordExchange(int64_t rank, const std::vector<RankMemory>& peers,
               Courier& courier, Exchange* exchange, int64_t firstCell)
      : rank(rank),
        peers(peers),
        courier(courier),
        exchange(exchange),
        firstCell(firstCell) {}

  /// Offers this rank's words. At most kMostWordsOffered offers of this rank
  /// may not have been taken yet.
  absl::Status offer(const Words& mine);

  /// Takes the words that all ranks have offered together with this rank's
  /// oldest offer that it has not taken yet, in the order of ranks. Blocks
  /// until all ranks have made the offer, or the world ends.
  absl::Status take(std::vector<Words>& all);

  /// Finishes the rounds whose messages have been sent and received, and starts
  /// the next rounds.
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
