// The messages between a rank and rank 0 before they trust each other.
//
//   rank r            rank 0
//     ── hello ──▶          rank r's name and nonce
//     ◀─ challenge ─        rank 0's name and nonce, and its proof of the key
//     ── proof ──▶          rank r's proof, and a digest of its start arguments
//
// A proof covers everything said before it, including the nonces, so it cannot
// be reused from another handshake, and each side knows that the other one is
// of its job. If rank r finds that rank 0 is of another job or was started
// differently, rank r reports the difference and leaves. Rank 0 drops a rank
// that cannot prove itself, without an answer.
//
//     ── difference ──▶     start arguments of rank r, and of rank 0
//
// If the key is derived from the start arguments, the challenge contains them.
// If the key is a secret, rank 0 sends them (MessageKind::kStart) only to a
// rank that has proven itself but has another digest. The texts may come from
// anybody, so decoding checks them.

#ifndef RUNTIME_BOOTSTRAP_HANDSHAKE_H_
#define RUNTIME_BOOTSTRAP_HANDSHAKE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Member.h"
#include "runtime/bootstrap/Start.h"

namespace sbp::bootstrap {

/// Longest message, in bytes, that rank 0 accepts before the sender has proven
/// itself. Messages of the handshake are shorter.
inline constexpr size_t kMaxVisitorBytes = 1024;

/// Longest message, in bytes, that a rank accepts before rank 0 has proven
/// itself. It has room for some dozens of start arguments, shortened as Start.h
/// says.
inline constexpr size_t kMaxChallengeBytes = size_t{64} << 10;

/// The first message of a rank.
struct Hello {
  Member member;
  Basis basis = Basis::kStart;
  std::string nonce;
};

/// The answer of rank 0 to a hello, with its proof of the job's key.
struct Challenge {
  Member hub;
  Basis basis = Basis::kStart;
  std::string nonce;
  std::string start;  // encoded; empty if the key is a secret
  std::string proof;
};

/// A rank's proof of the job's key, with the digest of its start arguments.
struct Proof {
  std::string digest;
  std::string proof;
};

/// Encodes a message of the handshake as the text of a message of a channel,
/// and decodes it. The decoders return false for any other text; the result is
/// then meaningless.
std::string encodeHello(const Hello& hello);
bool decodeHello(std::string_view text, Hello& hello);
std::string encodeChallenge(const Challenge& challenge);
bool decodeChallenge(std::string_view text, Challenge& challenge);
std::string encodeProof(const Proof& proof);
bool decodeProof(std::string_view text, Proof& proof);

/// Encodes a difference and decodes it, each of its two texts cut to 400 bytes.
/// Both functions replace characters that are not printable. The decoder
/// returns false if the text is not a difference.
std::string encodeDifference(const Difference& difference);
bool decodeDifference(std::string_view text, Difference& difference);

/// Returns the texts that a proof covers. Rank 0's proof in `challenge` covers
/// the hello and the rest of the challenge; rank r's proof in `proof` covers
/// the hello, the challenge and the digest.
std::vector<std::string> saidBy(const Challenge& challenge,
                                std::string_view helloText);
std::vector<std::string> saidBy(const Proof& proof, std::string_view helloText,
                                std::string_view challengeText);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_HANDSHAKE_H_
