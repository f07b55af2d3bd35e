// Output of text for people.

#ifndef RUNTIME_FILE_SHOW_H_
#define RUNTIME_FILE_SHOW_H_

#include <cstdio>
#include <string_view>

namespace sbp::file {

/// Writes `text` to `file` and flushes it. An error only sets ferror(file),
/// which the caller checks once at the end, so that a run goes on even if
/// nobody reads its output any more. (fmt::print would throw.)
inline void show(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

}  // namespace sbp::file

#endif  // RUNTIME_FILE_SHOW_H_
