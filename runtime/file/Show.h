// Output of text for people.

#ifndef RUNTIME_FILE_SHOW_H_
#define RUNTIME_FILE_SHOW_H_

#include <cstdio>
#include <string_view>

namespace sbp::file {

/// Writes `text` to `file` and flushes it. An error stays in ferror(file), to
/// be checked once at the end: a run does not stop because nobody reads its
/// output. (fmt::print would throw.)
inline void show(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

}  // namespace sbp::file

#endif  // RUNTIME_FILE_SHOW_H_
