// The choices from which a random thing is made.
//
// Whoever makes a random thing asks for one choice after the other: a number
// below 5, one of these shapes. The answers come from a seed, and are recorded.
// From the record the same thing is made again; and from a shorter record, or
// one of smaller numbers, a simpler thing, if only 0 is always the simplest
// answer:
//
//   below(5), below(3), below(7)      3 2 6    a program that fails
//                                     0 2      a simpler one: the third is 0
//
// So a failing thing is made small by making its record small, whatever the
// thing is.
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

/// The answers that were given.
using ChoiceRecord = std::vector<int64_t>;

class Choices {
 public:
  /// Random answers.
  explicit Choices(uint64_t seed)
      : random_(interpreter::CountedRandom(seed, "choices")) {}

  /// The answers of `record`, or the nearest that are possible; after its end
  /// always 0.
  explicit Choices(ChoiceRecord record) : replayed_(std::move(record)) {}

  /// In [0, bound).
  int64_t below(int64_t bound);

  /// In [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }

  /// True in so many of a hundred cases.
  bool chance(int64_t percent) { return below(100) >= 100 - percent; }

  /// An index of `weights`, each as often as its weight says.
  int64_t weighted(llvm::ArrayRef<int64_t> weights);

  /// An element of a range that is not empty.
  template <typename Range>
  auto pick(const Range& range) {
    return *std::next(std::begin(range), below(std::size(range)));
  }

  /// Reorders a range.
  template <typename Range>
  void shuffle(Range& range) {
    for (size_t left = std::size(range); left > 1; --left)
      std::swap(range[left - 1], range[left - 1 - below(left)]);
  }

  const ChoiceRecord& record() const { return record_; }

 private:
  std::optional<interpreter::CountedRandom> random_;  // or else:
  ChoiceRecord replayed_;
  ChoiceRecord record_;
};

/// A smaller record for which `fails` holds as it does for `record`: no block
/// of answers can be left out, and none be made smaller, that it would not
/// cease to hold; or `attempts` calls have been made.
ChoiceRecord shrunk(ChoiceRecord record,
                    llvm::function_ref<bool(const ChoiceRecord&)> fails,
                    int attempts);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_CHOICES_H_
