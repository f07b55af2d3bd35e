// What a rank and rank 0 say before they trust each other.
//
//   rank r            rank 0
//     ── hello ──▶          who I am, a nonce
//     ◀─ challenge ─        who I am, a nonce, a proof of the job's key
//     ── proof ──▶          mine, and a digest of what I was started with
//
// A proof is made over all that was said before it, so none can be had from
// elsewhere, and each side knows that the other is of its job. If one finds
// that the other is not, they find out why:
//
//     ── difference ──▶     what I was started with, and what you
//
// Where the key comes from what was started, the challenge has the items of it;
// where it is a secret, rank 0 sends them to a rank that has proven itself, but
// whose digest is another. The texts come from anybody: decoding checks them.

#ifndef RUNTIME_BOOTSTRAP_HANDSHAKE_H_
#define RUNTIME_BOOTSTRAP_HANDSHAKE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/bootstrap/Identity.h"
#include "runtime/bootstrap/Member.h"
#include "runtime/bootstrap/Start.h"

namespace sbp::bootstrap {

/// What rank 0 takes from somebody who has proven nothing: no message of the
/// above is longer.
inline constexpr size_t kMaxVisitorBytes = 1024;

/// What a rank takes from somebody who may be rank 0. The items are of bounded
/// length, and some dozens.
inline constexpr size_t kMaxChallengeBytes = size_t{64} << 10;

struct Hello {
  Member member;
  Basis basis = Basis::kStart;
  std::string nonce;
};

struct Challenge {
  Member hub;
  Basis basis = Basis::kStart;
  std::string nonce;
  std::string start;  // encoded; empty if it is not for everybody
  std::string proof;
};

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

/// A difference, cut to what fits, and back with nothing but printable
/// characters.
std::string encodeDifference(const Difference& difference);
bool decodeDifference(std::string_view text, Difference& difference);

/// What the proof in a challenge is over, and that of the rank: what was said.
std::vector<std::string> saidBy(const Challenge& challenge,
                                std::string_view helloText);
std::vector<std::string> saidBy(const Proof& proof, std::string_view helloText,
                                std::string_view challengeText);

}  // namespace sbp::bootstrap

#endif  // RUNTIME_BOOTSTRAP_HANDSHAKE_H_
