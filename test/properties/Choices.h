// The choices from which a random object (a program, a plan) is generated.
//
// A generator asks for one choice after the other, such as a number below 5 or
// one of some shapes. The answers are drawn from a seed, and recorded. The
// record generates the same object again. A shorter record, or a record with
// smaller numbers, generates a simpler object, provided that 0 is always the
// simplest answer:
//
//   below(5), below(3), below(7)      3 2 6    a program that fails
//                                     0 2      a simpler one: the third is 0
//
// So a test reduces a failing object of any kind by reducing its record.
//
// Source: MacIver and Donaldson, Test-case reduction via test-case generation,
// ECOOP 2020.

#ifndef TEST_PROPERTIES_CHOICES_H_
#define TEST_PROPERTIES_CHOICES_H_

#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/interpreter/Random.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sbp::properties {

/// The answers to all choices, in their order.
using ChoiceRecord = std::vector<int64_t>;

/// A source of choices.
class Choices {
 public:
  /// Answers at random, from `seed`.
  explicit Choices(uint64_t seed)
      : random_(interpreter::CountedRandom(seed, "choices")) {}

  /// Answers with the numbers of `record`, or with the nearest possible
  /// numbers, and with 0 after the end of `record`.
  explicit Choices(ChoiceRecord record) : replayed_(std::move(record)) {}

  /// Returns a number in [0, bound).
  int64_t below(int64_t bound);

  /// Returns a number in [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }

  /// Returns true with a probability of `percent` percent.
  bool chance(int64_t percent) { return below(100) >= 100 - percent; }

  /// Returns an index of `weights`, with a probability proportional to its
  /// weight.
  int64_t weighted(llvm::ArrayRef<int64_t> weights);

  /// Returns an element of `range`, which must not be empty.
  template <typename Range>
  auto pick(const Range& range) {
    return *std::next(std::begin(range), below(std::size(range)));
  }

  /// Puts the elements of `range` into a random order.
  template <typename Range>
  void shuffle(Range& range) {
    for (size_t left = std::size(range); left > 1; --left)
      std::swap(range[left - 1], range[left - 1 - below(left)]);
  }

  /// Returns the answers so far.
  const ChoiceRecord& record() const { return record_; }

 private:
  std::optional<interpreter::CountedRandom> random_;  // nullopt: replays
  ChoiceRecord replayed_;
  ChoiceRecord record_;
};

/// Reduces `record`, which fails, by removing blocks of answers and decreasing
/// answers. Returns the smallest record found for which `fails` returns true;
/// `record` if there is none. Ends when no change of this kind makes another
/// such record, or after `attempts` calls of `fails`.
ChoiceRecord shrunk(ChoiceRecord record,
                    llvm::function_ref<bool(const ChoiceRecord&)> fails,
                    int attempts);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_CHOICES_H_
