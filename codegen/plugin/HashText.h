// A hash of texts at compile time. Resembles FNV-1a, but takes eight bytes per
// step, because the compiler evaluates steps slowly.

#ifndef CODEGEN_PLUGIN_HASHTEXT_H_
#define CODEGEN_PLUGIN_HASHTEXT_H_

#include <cstddef>
#include <cstdint>

namespace sbp::plugin {

/// Adds `word` to the content whose hash is `hash`. Returns the new hash.
constexpr uint64_t hashWith(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

/// Returns the hash of numbers. It depends on every bit of each number.
template <size_t kCount>
constexpr uint64_t hashOf(const uint64_t (&numbers)[kCount]) {
  uint64_t hash = kCount;
  for (uint64_t number : numbers) hash = hashWith(hash, number);
  return hash;
}

/// Returns the hash of the bytes of a text.
template <size_t kCount>
constexpr uint64_t hashOf(const unsigned char (&text)[kCount]) {
  uint64_t hash = kCount;
  size_t at = 0;
  for (; at + 8 <= kCount; at += 8)
    hash = hashWith(
        hash, uint64_t(text[at]) | uint64_t(text[at + 1]) << 8 |
                  uint64_t(text[at + 2]) << 16 | uint64_t(text[at + 3]) << 24 |
                  uint64_t(text[at + 4]) << 32 | uint64_t(text[at + 5]) << 40 |
                  uint64_t(text[at + 6]) << 48 | uint64_t(text[at + 7]) << 56);
  for (; at < kCount; ++at) hash = hashWith(hash, text[at]);
  return hash;
}

}  // namespace sbp::plugin

#endif  // CODEGEN_PLUGIN_HASHTEXT_H_
