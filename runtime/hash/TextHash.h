// A 64-bit hash of texts. Equal texts have equal hashes on every host, in every
// build and in every version, which std::hash does not promise. The hash is not
// cryptographic: two texts with the same hash are easy to construct.

#ifndef RUNTIME_HASH_TEXTHASH_H_
#define RUNTIME_HASH_TEXTHASH_H_

#include <cstdint>
#include <string_view>

namespace sbp::hash {

/// Returns the 64-bit FNV-1a hash of `text`.
constexpr uint64_t ofText(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace sbp::hash

#endif  // RUNTIME_HASH_TEXTHASH_H_
