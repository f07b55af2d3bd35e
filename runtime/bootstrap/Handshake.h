// The messages between a rank and rank 0 before they trust each other.
//
//   rank r            rank 0
//     ── hello ──▶          rank r's name and nonce
//     ◀─ challenge ─        rank 0's name and nonce, and its proof of the key
//     ── proof ──▶          rank r's proof, and a digest of its start arguments
//
// A proof (Key.h) covers all earlier messages with their nonces, so a proof
// from another handshake is not valid. If both proofs are correct, each side
// knows that the other side belongs to its job. If rank r finds that rank 0 is
// of another job or was started differently, rank r reports the difference and
// leaves. Rank 0 drops a rank that cannot prove itself, without an answer.
//
//     ── difference ──▶     differing start arguments of rank r and of rank 0
//
// If the key is derived from the start arguments, the challenge contains them.
// If the key is derived from a secret, rank 0 sends its start arguments
// (MessageKind::kStart) only to a rank that has proven itself but has another
// digest. A message may come from any process, so the decoders check the form
// of every message.

#ifndef RUNTIME_BOOTSTRAP_HANDSHAKE_H_
#define RUNTIME_BOOTSTRAP_HANDSHAKE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Member.h"
#include "runtime/bootstrap/StartArguments.h"

namespace sbp::bootstrap {

/// Longest message, in bytes, that rank 0 accepts before the sender has proven
/// itself. All messages of the handshake to rank 0 are shorter.
inline constexpr size_t kMaxVisitorBytes = 1024;

/// Longest message, in bytes, that a rank accepts before rank 0 has proven
/// itself. It has room for some 300 start arguments, shortened as
/// StartArguments.h says.
inline constexpr size_t kMaxChallengeBytes = size_t{64} << 10;

/// The first message of a rank.
struct Hello {
  Member member;
  KeySource keySource = KeySource::kStart;
  std::string nonce;
};

/// The answer of rank 0 to a hello, with its proof of the job's key.
struct Challenge {
  Member hub;  // rank 0
  KeySource keySource = KeySource::kStart;
  std::string nonce;
  std::string start;  // result of encodeStart(); empty with KeySource::kSecret
  std::string proof;
};

/// A rank's proof of the job's key, with the digest of its start arguments.
struct Proof {
  std::string digest;
  std::string proof;
};

/// Encode a message of the handshake as the text of a Message (Channel.h), and
/// decode it. The decoders return false for any other text; the result is then
/// meaningless.
std::string encodeHello(const Hello& hello);
bool decodeHello(std::string_view text, Hello& hello);
std::string encodeChallenge(const Challenge& challenge);
bool decodeChallenge(std::string_view text, Challenge& challenge);
std::string encodeProof(const Proof& proof);
bool decodeProof(std::string_view text, Proof& proof);

/// Encodes a difference, and decodes it. Both functions make each of the two
/// texts printable and cut it to 400 bytes, by printable() (StartArguments.h).
/// The decoder returns false if `text` is not a difference.
std::string encodeDifference(const Difference& difference);
bool decodeDifference(std::string_view text, Difference& difference);

/// Returns the texts that a proof covers. The proof of rank 0, for
/// Challenge::proof, covers the hello and the rest of the challenge. The proof
/// of rank r, for Proof::proof, covers the hello, the challenge and the digest.
/// Both functions ignore the `proof` field of the first argument.
std::vector<std::string> coveredTexts(const Challenge& challenge,
                                      std::string_view helloText);
std::vector<std::string> coveredTexts(const Proof& proof,
                                      std::string_view helloText,
                                      std::string_view challengeText);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_HANDSHAKE_H_
