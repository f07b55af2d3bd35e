// A number for a text that is the same on every host, in every build and for
// all time, which std::hash does not promise. Different texts have different
// numbers as far as chance goes; nobody is kept from finding two that collide.

#ifndef RUNTIME_HASH_TEXTHASH_H_
#define RUNTIME_HASH_TEXTHASH_H_

#include <cstdint>
#include <string_view>

namespace sbp::hash {

/// FNV-1a of 64 bits.
constexpr uint64_t ofText(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace sbp::hash

#endif  // RUNTIME_HASH_TEXTHASH_H_
