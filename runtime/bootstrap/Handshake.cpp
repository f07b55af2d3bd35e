#include "runtime/bootstrap/Handshake.h"

#include "runtime/bootstrap/Channel.h"

namespace sbp::bootstrap {
namespace {

// First text of hello and challenge: the version of the protocol.
constexpr char kGreeting[] = "sbp-3";

// Both sides of a difference fit into the longest message that rank 0 accepts
// before a proof.
constexpr size_t kMaxDifferenceBytes = 400;
static_assert(2 * kMaxDifferenceBytes < kMaxVisitorBytes);

bool decodeKeySource(std::string_view text, KeySource& keySource) {
  if (text.size() != 1) return false;
  keySource = static_cast<KeySource>(text[0]);
  return keySource == KeySource::kSecret || keySource == KeySource::kStart;
}

std::string encodeKeySource(KeySource keySource) {
  return std::string(1, static_cast<char>(keySource));
}

// Splits a message that must have `count` texts.
bool split(std::string_view text, size_t count,
           std::vector<std::string>& parts) {
  return splitTexts(text, parts) && parts.size() == count;
}

}  // namespace

std::string encodeHello(const Hello& hello) {
  return joinTexts({kGreeting, encodeMember(hello.member),
                    encodeKeySource(hello.keySource), hello.nonce});
}

bool decodeHello(std::string_view text, Hello& hello) {
  std::vector<std::string> parts;
  if (!split(text, 4, parts) || parts[0] != kGreeting ||
      !decodeMember(parts[1], hello.member) ||
      !decodeKeySource(parts[2], hello.keySource)) {
    return false;
  }
  hello.nonce = parts[3];
  return true;
}

std::string encodeChallenge(const Challenge& challenge) {
  return joinTexts({kGreeting, encodeMember(challenge.hub),
                    encodeKeySource(challenge.keySource), challenge.nonce,
                    challenge.start, challenge.proof});
}

bool decodeChallenge(std::string_view text, Challenge& challenge) {
  std::vector<std::string> parts;
  if (!split(text, 6, parts) || parts[0] != kGreeting ||
      !decodeMember(parts[1], challenge.hub) ||
      !decodeKeySource(parts[2], challenge.keySource)) {
    return false;
  }
  challenge.nonce = parts[3];
  challenge.start = parts[4];
  challenge.proof = parts[5];
  return true;
}

std::string encodeProof(const Proof& proof) {
  return joinTexts({proof.digest, proof.proof});
}

bool decodeProof(std::string_view text, Proof& proof) {
  std::vector<std::string> parts;
  if (!split(text, 2, parts)) return false;
  proof = {parts[0], parts[1]};
  return true;
}

std::string encodeDifference(const Difference& difference) {
  return joinTexts({printable(difference.mine, kMaxDifferenceBytes),
                    printable(difference.theirs, kMaxDifferenceBytes)});
}

bool decodeDifference(std::string_view text, Difference& difference) {
  std::vector<std::string> parts;
  if (!split(text, 2, parts)) return false;
  difference = {printable(parts[0], kMaxDifferenceBytes),
                printable(parts[1], kMaxDifferenceBytes)};
  return true;
}

std::vector<std::string> coveredTexts(const Challenge& challenge,
                                      std::string_view helloText) {
  Challenge said = challenge;
  said.proof.clear();
  return {"rank 0", std::string(helloText), encodeChallenge(said)};
}

std::vector<std::string> coveredTexts(const Proof& proof,
                                      std::string_view helloText,
                                      std::string_view challengeText) {
  return {"rank r", std::string(helloText), std::string(challengeText),
          proof.digest};
}

}  // namespace sbp::bootstrap
