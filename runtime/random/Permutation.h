// A random order of n things that takes no memory.
//
// A Feistel network turns any function into a bijection of bit strings; walking
// through it until the result is below n makes it one of [0, n) (Black and
// Rogaway, "Ciphers with arbitrary finite domains", 2002). So every rank knows
// the i-th sample of an epoch by computing it, however many samples there are.

#ifndef RUNTIME_RANDOM_PERMUTATION_H_
#define RUNTIME_RANDOM_PERMUTATION_H_

#include <cstdint>

namespace sbp::random {

class Permutation {
 public:
  /// The permutation of [0, size) that `key` and `stream` choose; size > 0.
  Permutation(int64_t size, uint64_t key, uint64_t stream);

  /// Where `index`, in [0, size), goes.
  int64_t operator()(int64_t index) const;

 private:
  uint64_t scramble(uint64_t value) const;

  uint64_t size;
  uint64_t key;
  uint64_t stream;
  int halfBits = 1;  // the network permutes strings of twice as many bits
};

}  // namespace sbp::random

#endif  // RUNTIME_RANDOM_PERMUTATION_H_
