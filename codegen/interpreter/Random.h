// Random numbers by counting: number i of a stream depends on the stream and on
// i alone, so any part of it can be drawn without drawing the rest.
//
// A stream is named by a seed and a text. Number i is the counter i, multiplied
// by an odd constant and offset by the stream's key, mixed by the finalizer of
// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, OOPSLA 2014).

#ifndef CODEGEN_INTERPRETER_RANDOM_H_
#define CODEGEN_INTERPRETER_RANDOM_H_

#include <cmath>
#include <cstdint>

#include "llvm/ADT/StringRef.h"

namespace sbp::interpreter {

class CountedRandom {
 public:
  CountedRandom(uint64_t seed, llvm::StringRef stream) : key_(mixed(seed)) {
    for (unsigned char letter : stream) key_ = mixed(key_ + letter);
  }

  uint64_t bits(uint64_t index) const {
    return mixed(key_ + kStep * (index + 1));
  }

  /// In [0, 1).
  double uniform(uint64_t index) const {
    return static_cast<double>(bits(index) >> 11) * 0x1p-53;
  }

  /// Of mean 0 and standard deviation 1, from two numbers of the stream (Box
  /// and Muller).
  double normal(uint64_t index) const {
    double radius = std::sqrt(-2 * std::log(1 - uniform(2 * index)));
    return radius * std::cos(2 * M_PI * uniform(2 * index + 1));
  }

  /// In [low, high].
  int64_t integer(uint64_t index, int64_t low, int64_t high) const {
    return low + static_cast<int64_t>(bits(index) %
                                      static_cast<uint64_t>(high - low + 1));
  }

 private:
  static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;

  static uint64_t mixed(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

  uint64_t key_;
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANDOM_H_
