// The messages between a rank and rank 0 before they trust each other.
//
//   rank r            rank 0
//     ── hello ──▶          rank r's name and nonce
//     ◀─ challenge ─        rank 0's name and nonce, and its proof of the key
//     ── proof ──▶          rank r's proof, and a digest of its start arguments
//
// A proof covers all earlier messages, including the nonces, so it cannot be
// reused from another handshake, and each side knows that the other one is of
// its job. If one side finds that the other is not, they exchange the reason:
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
/// itself. It has room for some dozens of items, whose length is bounded.
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

std::string encodeHello(const Hello& hello);
bool decodeHello(std::string_view text, Hello& hello);
std::string encodeChallenge(const Challenge& challenge);
bool decodeChallenge(std::string_view text, Challenge& challenge);
std::string encodeProof(const Proof& proof);
bool decodeProof(std::string_view text, Proof& proof);

/// Encodes a difference, cut to its maximal length, and decodes it. Both
/// replace characters that are not printable.
std::string encodeDifference(const Difference& difference);
bool decodeDifference(std::string_view text, Difference& difference);

/// Returns the texts that a proof covers: everything said before it.
std::vector<std::string> saidBy(const Challenge& challenge,
                                std::string_view helloText);
std::vector<std::string> saidBy(const Proof& proof, std::string_view helloText,
                                std::string_view challengeText);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_HANDSHAKE_H_
