// Random draws for the parts of an op that is to be checked.

#ifndef CODEGEN_CHECK_DRAWS_H_
#define CODEGEN_CHECK_DRAWS_H_

#include <cstdint>
#include <iterator>

#include "codegen/interpreter/Random.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Extents of dimensions. Two ranks get equal parts of an even extent, and
/// unequal parts of an odd one.
inline constexpr int64_t kExtents[] = {2, 3, 4, 5, 6, 8};

/// A stream of random draws. Streams of the same name give the same draws.
class Draws {
 public:
  explicit Draws(StringRef stream) : random_(/*seed=*/1, stream) {}

  /// Draws an integer from 0 to `bound` - 1.
  int64_t below(int64_t bound) {
    return random_.integer(next_++, 0, bound - 1);
  }
  /// Draws true with a probability of 1 / `number`.
  bool oneIn(int64_t number) { return below(number) == 0; }
  /// Draws one of kExtents.
  int64_t extent() { return kExtents[below(std::size(kExtents))]; }

 private:
  interpreter::CountedRandom random_;
  uint64_t next_ = 0;
};

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_DRAWS_H_
