// Text that came from a model or a file, for a terminal.

#ifndef RUNTIME_TEXT_PRINTABLE_H_
#define RUNTIME_TEXT_PRINTABLE_H_

#include <string>
#include <string_view>

namespace sbp::text {

/// `text` with its control characters as a programmer would write them: "\\n",
/// "\\x1b". Others, such as those of UTF-8, stay as they are. Characters of
/// `kept` are no control characters here.
std::string printable(std::string_view text, std::string_view kept = "");

}  // namespace sbp::text

#endif  // RUNTIME_TEXT_PRINTABLE_H_
