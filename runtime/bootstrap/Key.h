// The key that all ranks of a job have, and proofs of having it.
//
// A proof is a keyed hash (HMAC-SHA512-256) of all earlier messages. The
// messages include a nonce drawn by the other side, so a proof that somebody
// overheard is useless for another handshake. A proof does not reveal the key,
// unless the key can be guessed.

#ifndef RUNTIME_BOOTSTRAP_KEY_H_
#define RUNTIME_BOOTSTRAP_KEY_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sbp::bootstrap {

/// A secret key of 32 bytes.
class Key {
 public:
  /// Returns the key derived from `texts`; other texts give another key.
  static Key from(const std::vector<std::string>& texts);

  /// Returns a proof of having this key, which covers the messages `said`. It
  /// has 32 bytes.
  std::string prove(const std::vector<std::string>& said) const;

  /// Whether `proof` is the proof for `said`. Takes the same time for all texts
  /// of 32 bytes, right or wrong, so that its duration reveals nothing.
  bool isProof(std::string_view proof,
               const std::vector<std::string>& said) const;

 private:
  std::array<unsigned char, 32> bytes;
};

/// Returns a cryptographic hash of `texts`, 32 bytes.
std::string digestOf(const std::vector<std::string>& texts);

/// Draws 16 unpredictable random bytes. The same bytes are practically never
/// drawn twice.
std::string drawNonce();

/// Draws a secret for a job: 64 unpredictable hexadecimal digits.
std::string drawSecret();

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_KEY_H_
