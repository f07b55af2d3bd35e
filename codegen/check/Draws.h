// Random draws of what an op that is checked consists of.

#ifndef CODEGEN_CHECK_DRAWS_H_
#define CODEGEN_CHECK_DRAWS_H_

#include <cstdint>
#include <iterator>

#include "codegen/interpreter/Random.h"
#include "dialects/support/LLVM.h"

namespace sbp::check {

/// Extents that are drawn: even ones, which divide evenly, and odd ones.
inline constexpr int64_t kExtents[] = {2, 3, 4, 5, 6, 8};

/// A stream of random draws.
class Draws {
 public:
  explicit Draws(StringRef stream) : random_(/*seed=*/1, stream) {}

  int64_t below(int64_t bound) {
    return random_.integer(next_++, 0, bound - 1);
  }
  bool oneIn(int64_t number) { return below(number) == 0; }
  int64_t extent() { return kExtents[below(std::size(kExtents))]; }

 private:
  interpreter::CountedRandom random_;
  uint64_t next_ = 0;
};

}  // namespace sbp::check

#endif  // CODEGEN_CHECK_DRAWS_H_
