#include "runtime/text/Printable.h"

#include "fmt/format.h"

namespace sbp::text {
namespace {

bool isControl(unsigned char character) {
  return character < 0x20 || character == 0x7f;
}

/// Returns the number of bytes of the character that `text` begins with; 0 if
/// it begins with none in UTF-8 (The Unicode Standard, table 3-7).
size_t lengthOfFirst(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const int first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > most) return 0;
  for (size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  return length;
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto character = static_cast<unsigned char>(text[i]);
    const size_t length = lengthOfFirst(text.substr(i));
    // Control characters beyond ASCII, U+0080 to U+009F, in UTF-8.
    const bool isBeyond = character == 0xc2 && length == 2 &&
                          static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (length > 1 && !isBeyond) {
      result += text.substr(i, length);
      i += length - 1;
    } else if (isBeyond) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[++i]));
    } else if (length == 1 &&
               (!isControl(character) || kept.find(text[i]) != kept.npos)) {
      result += text[i];
    } else if (character == '\n') {
      result += "\\n";
    } else if (character == '\t') {
      result += "\\t";
    } else {
      result += fmt::format("\\x{:02x}", character);
    }
  }
  return result;
}

}  // namespace sbp::text
