#include "tools/lsp/GuardedInput.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <thread>

#include "llvm/ADT/StringRef.h"
#include "tools/lsp/SafeTexts.h"

namespace sbp {
namespace {

/// Reads the header of a message, and its body into `body`. Returns false at
/// the end of `input`, or if the message has no body.
bool readMessage(std::FILE* input, std::string& body) {
  size_t length = 0;
  char line[1024];
  while (std::fgets(line, sizeof line, input)) {
    llvm::StringRef field = llvm::StringRef(line).trim();
    if (field.consume_front_insensitive("content-length:"))
      (void)!field.trim().getAsInteger(10, length);
    else if (field.empty() && length > 0)
      break;
  }
  // Allocates memory for bytes as they arrive, not for the announced length.
  body.clear();
  while (body.size() < length) {
    constexpr size_t kMaxPiece = 1 << 16;
    const size_t begin = body.size();
    body.resize(std::min(length, begin + kMaxPiece));
    const size_t wanted = body.size() - begin;
    if (std::fread(body.data() + begin, 1, wanted, input) != wanted)
      return false;
  }
  return length > 0;
}

/// Writes a message with body `body`, and its header.
void writeMessage(std::FILE* output, const std::string& body) {
  std::fprintf(output, "Content-Length: %zu\r\n\r\n", body.size());
  std::fwrite(body.data(), 1, body.size(), output);
  std::fflush(output);
}

/// Passes messages from `input` to `output` through SafeTexts, until the end of
/// `input`. Closes `output`.
void passOn(std::FILE* input, std::FILE* output) {
  SafeTexts texts;
  std::string body;
  while (readMessage(input, body)) writeMessage(output, texts.guarded(body));
  std::fclose(output);
}

}  // namespace

llvm::Error guardInput() {
  int ends[2];
  const int given = dup(STDIN_FILENO);
  if (given < 0 || pipe(ends) < 0 || dup2(ends[0], STDIN_FILENO) < 0)
    return llvm::errorCodeToError(
        std::error_code(errno, std::generic_category()));
  close(ends[0]);
  std::thread(passOn, fdopen(given, "rb"), fdopen(ends[1], "wb")).detach();
  return llvm::Error::success();
}

}  // namespace sbp
