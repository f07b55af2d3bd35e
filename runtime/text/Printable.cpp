#include "runtime/text/Printable.h"

#include "fmt/format.h"

namespace sbp::text {
namespace {

bool isControl(unsigned char character) {
  return character < 0x20 || character == 0x7f;
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto character = static_cast<unsigned char>(text[i]);
    // Control characters beyond ASCII, U+0080 to U+009F, in UTF-8.
    const bool isBeyond = character == 0xc2 && i + 1 < text.size() &&
                          static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (isBeyond) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[++i]));
    } else if (!isControl(character) || kept.find(text[i]) != kept.npos) {
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
