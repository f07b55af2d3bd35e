// What ranks must know of each other before they end a step.
//
// In the middle of a step a rank may learn something upon which all must act
// alike: that it was told to stop, say. It notes the fact. What no rank knows
// alone, such as the norm of gradients of which each has a part, is a sum to
// which each adds its term. In agree(), once per step and on every rank, they
// exchange both, and from then on all know the same of all: facts that any has
// noted, and sums, in the order of the ranks, so that they are equal bit by
// bit. Where steps overlap a rank tells first, and learns some steps later.

#ifndef RUNTIME_TRAIN_STEPAGREEMENT_H_
#define RUNTIME_TRAIN_STEPAGREEMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "runtime/communication/Communicator.h"

namespace sbp::train {

class StepAgreement {
 public:
  /// Bits of one word.
  enum class Fact : uint64_t {
    // A rank was told to end: by Ctrl-C, SIGTERM, the warning SIGUSR1, SIGHUP,
    // or as nobody reads what it prints.
    kInterrupted = 1 << 0,
    kTerminated = 1 << 1,
    kWarned = 1 << 2,
    kHungUp = 1 << 3,
    kUnread = 1 << 4,
    // A checkpoint could not be written.
    kSaveFailed = 1 << 5,
  };

  /// Each has a word of its own.
  enum class Sum : size_t { kLoss, kSquaresOfGradients, kBytesReceived };

  explicit StepAgreement(communication::Communicator& communicator)
      : communicator(communicator) {}

  /// Says, to all ranks at the next agree(), that `fact` is so.
  void note(Fact fact) { myFacts |= static_cast<uint64_t>(fact); }

  /// Adds this rank's term to what sum() gives after the next agree().
  void add(Sum sum, double term) { mySums[static_cast<size_t>(sum)] += term; }

  /// Makes known what ranks have noted and added since the last time. Every
  /// rank must call it once per step. Takes microseconds; fails if the world
  /// aborts.
  absl::Status agree();

  /// agree() in two parts: of the step that has just been, without waiting for
  /// anybody; and of the oldest step that has been told of and not learned.
  absl::Status tell();
  absl::Status learn();

  /// Whether any rank had noted `fact` when all last agreed.
  bool has(Fact fact) const {
    return (factsOfAll & static_cast<uint64_t>(fact)) != 0;
  }

  /// What all ranks together had added to the step of which they last agreed.
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
