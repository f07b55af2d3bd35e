// A few words of every rank, for every rank: offered now, taken later.
//
// A rank offers its words once per step, without waiting for anybody, and takes
// those of all when it needs them: at once, or some steps behind. Each take is
// of the oldest offer that this rank has not taken.
//
// Where all ranks share memory, each writes its words on its board. Else they
// go by messages, log2(ranks) rounds of them: in the round of distance d a rank
// tells the one that is d behind it all that it holds, its own words and those
// of the d - 1 before it, or as much as that one still wants. Rounds go on
// whenever the rank waits for something.

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

/// Whether a rank sends words to the one `distance` behind it, of `numRanks`.
bool sendsWords(int64_t distance, int64_t numRanks);

class WordExchange {
 public:
  /// Of rank `rank`, whose memory is `peers[rank]`. `exchange` is null if all
  /// of it is mapped; its messages have cells from `firstCell` on.
  WordExchange(int64_t rank, const std::vector<RankMemory>& peers,
               Courier& courier, Exchange* exchange, int64_t firstCell)
      : rank(rank),
        peers(peers),
        courier(courier),
        exchange(exchange),
        firstCell(firstCell) {}

  /// At most kMostWordsOffered are not taken yet.
  absl::Status offer(const Words& mine);

  /// Words in the order of ranks. Blocks until all have offered theirs, or the
  /// world ends.
  absl::Status take(std::vector<Words>& all);

  /// Begins rounds that can begin.
  absl::Status progress();

 private:
  /// An offer whose rounds are not over.
  struct Offer {
    int64_t turn = 0;
    std::vector<Words>
        held;              // this rank's, then those before it, nearest first
    int64_t distance = 0;  // of the round that is under way; 0: none
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
  std::deque<Offer> offers;  // by messages
};

}  // namespace sbp::communication

#endif  // RUNTIME_COMMUNICATION_WORDEXCHANGE_H_
