// A key that the ranks of one job have, and how to prove that one has it.
//
// The proof is a keyed hash (HMAC-SHA512-256) of what was said so far, which
// includes a number that the other side has drawn for this occasion: a proof
// that somebody overheard is of no use a second time. It does not reveal the
// key, unless that can be guessed.

#ifndef RUNTIME_BOOTSTRAP_KEY_H_
#define RUNTIME_BOOTSTRAP_KEY_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sbp::bootstrap {

class Key {
 public:
  /// The key that belongs to these texts; other texts have another.
  static Key from(const std::vector<std::string>& texts);

  /// The proof of having this key, over what was said: 32 bytes.
  std::string prove(const std::vector<std::string>& said) const;

  /// Whether `proof` is that. Takes as long for wrong ones.
  bool isProof(std::string_view proof,
               const std::vector<std::string>& said) const;

 private:
  std::array<unsigned char, 32> bytes;
};

/// A hash of texts, 32 bytes, which differs if the texts do.
std::string digestOf(const std::vector<std::string>& texts);

/// 16 bytes that nobody has drawn before or can foresee.
std::string drawNonce();

/// A secret for a job: 64 hexadecimal digits that nobody can foresee.
std::string drawSecret();

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_KEY_H_
