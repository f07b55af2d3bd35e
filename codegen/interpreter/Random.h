// Counter-based random numbers, in named streams.
//
// Number i of a stream depends on the seed, the stream's name and i alone, so
// any part of a stream can be drawn without the rest. The numbers are those of
// the runtime (runtime/random/Philox.h): a parameter has the same initial value
// in the interpreter and in the compiled program.

#ifndef CODEGEN_INTERPRETER_RANDOM_H_
#define CODEGEN_INTERPRETER_RANDOM_H_

#include <cstdint>
#include <string_view>

#include "llvm/ADT/StringRef.h"
#include "runtime/random/Philox.h"

namespace sbp::interpreter {

/// One stream of random numbers. Each function draws number `index` of the
/// stream.
class CountedRandom {
 public:
  CountedRandom(uint64_t seed, llvm::StringRef stream)
      : seed_(seed), stream_(random::streamOf(std::string_view(stream))) {}

  /// Returns 64 random bits.
  uint64_t bits(uint64_t index) const {
    auto words = random::philox(seed_, index, stream_);
    return static_cast<uint64_t>(words[1]) << 32 | words[0];
  }

  /// Returns a number uniformly distributed in [0, 1).
  double uniform(uint64_t index) const {
    return random::uniform(seed_, stream_, index);
  }

  /// Returns a normally distributed number of mean 0 and standard deviation 1.
  double normal(uint64_t index) const {
    return random::normal(seed_, stream_, index);
  }

  /// Returns an integer in [low, high].
  int64_t integer(uint64_t index, int64_t low, int64_t high) const {
    return low + static_cast<int64_t>(bits(index) %
                                      static_cast<uint64_t>(high - low + 1));
  }

 private:
  uint64_t seed_;
  uint64_t stream_;
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANDOM_H_
