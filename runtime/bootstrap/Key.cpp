#include "runtime/bootstrap/Key.h"

#include <sodium.h>

#include <algorithm>
#include <cstdlib>

#include "fmt/format.h"
#include "runtime/bootstrap/Channel.h"

namespace sbp::bootstrap {
namespace {

constexpr size_t kNonceBytes = 16;
constexpr size_t kSecretBytes = 32;

using Digest = std::array<unsigned char, crypto_auth_KEYBYTES>;
static_assert(crypto_auth_BYTES == crypto_auth_KEYBYTES);

const unsigned char* bytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string textOf(const Digest& digest) {
  return std::string(digest.begin(), digest.end());
}

// Initialises libsodium. May be called any number of times, from any thread.
// Ends the process if the system has no random numbers, because then there are
// no secrets.
void openLibrary() {
  if (sodium_init() < 0) std::abort();
}

// joinTexts marks where each text ends, so {"a", "bc"} and {"ab", "c"} have
// different hashes.
Digest hash(const std::vector<std::string>& texts) {
  openLibrary();
  const std::string joined = joinTexts(texts);
  Digest digest;
  crypto_generichash(digest.data(), digest.size(), bytesOf(joined),
                     joined.size(), /*key=*/nullptr, /*keylen=*/0);
  return digest;
}

std::string drawBytes(size_t count) {
  openLibrary();
  std::string bytes(count, '\0');
  randombytes_buf(bytes.data(), bytes.size());
  return bytes;
}

}  // namespace

Key Key::from(const std::vector<std::string>& texts) {
  Key key;
  key.bytes = hash(texts);
  return key;
}

std::string Key::prove(const std::vector<std::string>& said) const {
  const std::string joined = joinTexts(said);
  Digest proof;
  crypto_auth(proof.data(), bytesOf(joined), joined.size(), bytes.data());
  return textOf(proof);
}

bool Key::isProof(std::string_view proof,
                  const std::vector<std::string>& said) const {
  const std::string joined = joinTexts(said);
  return proof.size() == crypto_auth_BYTES &&
         crypto_auth_verify(bytesOf(proof), bytesOf(joined), joined.size(),
                            bytes.data()) == 0;
}

std::string digestOf(const std::vector<std::string>& texts) {
  return textOf(hash(texts));
}

std::string drawNonce() { return drawBytes(kNonceBytes); }

std::string drawSecret() {
  std::string digits;
  for (unsigned char byte : drawBytes(kSecretBytes))
    digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace sbp::bootstrap
