// Agreement of all ranks on the outcome of a step.
//
// During a step a rank may learn a fact on which all ranks must act, for
// instance that the rank was told to end. The rank notes the fact by note().
// There are also values to which each rank contributes one term, such as the
// squared norm of the gradients: the value is the sum of the terms. Every rank
// calls agree() once per step; there the ranks exchange facts and terms.
// Afterwards all ranks have the same facts, whichever rank has noted them. They
// also have the same sums, bit by bit, because terms are added in the order of
// ranks. Where steps overlap, a rank sends its facts and terms with send(), and
// receives those of all ranks some steps later with receive().

#ifndef RUNTIME_TRAIN_STEPAGREEMENT_H_
#define RUNTIME_TRAIN_STEPAGREEMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/communication/Communicator.h"

namespace sbp::train {

/// One rank's part in the agreement.
class StepAgreement {
 public:
  /// Facts that a rank may note. Each is a bit of one word.
  enum class Fact : uint64_t {
    // A signal has told the rank to end (main/Interrupt.h):
    kInterrupted = 1 << 0,  // SIGINT
    kTerminated = 1 << 1,   // SIGTERM
    kWarned = 1 << 2,       // SIGUSR1
    kHungUp = 1 << 3,       // SIGHUP
    kUnread = 1 << 4,       // SIGPIPE
    // A checkpoint could not be written.
    kSaveFailed = 1 << 5,
  };

  /// Sums over all ranks, each an f64: the loss, the squares of all elements of
  /// gradients, and the bytes received from other ranks.
  enum class Sum : size_t { kLoss, kSquaresOfGradients, kBytesReceived };

  explicit StepAgreement(communication::Communicator& communicator)
      : communicator(communicator) {}

  /// Notes `fact` for the next agree() or send().
  void note(Fact fact) { myFacts |= static_cast<uint64_t>(fact); }

  /// Adds `term` to this rank's term of `sum` for the next agree() or send().
  void add(Sum sum, double term) { mySums[static_cast<size_t>(sum)] += term; }

  /// Exchanges the facts and terms since the last call. Every rank must call it
  /// once per step; blocks until all have. The exchange is fast enough for
  /// every step (Communicator::exchangeWords). Fails if the world aborts.
  absl::Status agree();

  /// Sends the facts and terms of the step that has just run: the first part of
  /// agree(). Does not wait for other ranks. At most kMostWordsOffered steps
  /// (communication/Words.h) may be sent and not received yet.
  absl::Status send();
  /// Receives the facts and terms of all ranks for the oldest step that this
  /// rank has sent and not received yet: the second part of agree(). Blocks
  /// until all ranks have sent that step, or the world aborts.
  absl::Status receive();

  /// Whether at least one rank had noted `fact` for the step that agree() or
  /// receive() has handled last.
  bool has(Fact fact) const {
    return (factsOfAll & static_cast<uint64_t>(fact)) != 0;
  }

  /// Returns the sum over all ranks for the step that agree() or receive() has
  /// handled last.
  double sum(Sum sum) const { return sumsOfAll[static_cast<size_t>(sum)]; }

 private:
  static constexpr size_t kNumSums = 3;

  communication::Communicator& communicator;
  uint64_t myFacts = 0;
  uint64_t factsOfAll = 0;
  std::array<double, kNumSums> mySums = {};
  std::array<double, kNumSums> sumsOfAll = {};
  std::vector<communication::Words> words;  // by rank
};

}  // namespace sbp::train

#endif  // RUNTIME_TRAIN_STEPAGREEMENT_H_
