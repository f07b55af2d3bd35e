// Escaping of text from a model or a file for output to a terminal.

#ifndef RUNTIME_TEXT_PRINTABLE_H_
#define RUNTIME_TEXT_PRINTABLE_H_

#include <string>
#include <string_view>

namespace sbp::text {

/// Returns `text` with escape sequences, such as \n or \x1b, in place of
/// control characters and of bytes that do not belong to a character in UTF-8.
/// Other characters are unchanged, and so are the ASCII control characters in
/// `kept`.
std::string printable(std::string_view text, std::string_view kept = "");

}  // namespace sbp::text

#endif  // RUNTIME_TEXT_PRINTABLE_H_
