// Pseudo-random permutations of n elements in constant memory: no table of n
// entries.
//
// A Feistel network turns any function into a bijection of bit strings of one
// length. To permute [0, n), the bijection is applied again and again until the
// result is below n ("cycle walking": Black and Rogaway, "Ciphers with
// arbitrary finite domains", 2002). So every rank can compute the i-th sample
// of an epoch directly, for any number of samples.

#ifndef RUNTIME_RANDOM_PERMUTATION_H_
#define RUNTIME_RANDOM_PERMUTATION_H_

#include <cstdint>

namespace sbp::random {

/// A pseudo-random permutation of [0, size).
class Permutation {
 public:
  /// Creates the permutation of [0, size) that `key` and `stream` (Philox.h)
  /// determine; size > 0.
  Permutation(int64_t size, uint64_t key, uint64_t stream);

  /// Returns the image of `index`, which is in [0, size).
  int64_t operator()(int64_t index) const;

 private:
  /// Applies the Feistel network once.
  uint64_t scramble(uint64_t value) const;

  uint64_t size;
  uint64_t key;
  uint64_t stream;
  /// Half the length, in bits, of the strings that the network permutes.
  int halfBits = 1;
};

}  // namespace sbp::random

#endif  // RUNTIME_RANDOM_PERMUTATION_H_
