// A file that appears whole or not at all.
//
// The bytes go to a temporary file beside the final one, which takes its name
// when everything is written. A reader never sees half of it, and a run that
// fails leaves what was there before.

#ifndef RUNTIME_FILE_OUTPUTFILE_H_
#define RUNTIME_FILE_OUTPUTFILE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::file {

/// OK if a file can be made at `path` now; otherwise why not. Leaves nothing.
/// For finding out before a long run.
absl::Status checkWritable(const std::string& path);

class OutputFile {
 public:
  static absl::StatusOr<OutputFile> create(const std::string& path);

  OutputFile(OutputFile&& other) noexcept
      : path(std::move(other.path)),
        temporary(std::exchange(other.temporary, {})),
        fd(std::exchange(other.fd, -1)) {}
  OutputFile& operator=(OutputFile&&) = delete;

  /// Removes the temporary file unless commit() has given it its name.
  ~OutputFile();

  absl::Status write(const void* data, size_t bytes);
  absl::Status write(std::string_view text) {
    return write(text.data(), text.size());
  }

  /// Makes the file appear, durably, in place of any that was there.
  absl::Status commit();

 private:
  OutputFile(std::string path, std::string temporary, int fd)
      : path(std::move(path)), temporary(std::move(temporary)), fd(fd) {}

  std::string path;
  std::string temporary;
  int fd = -1;
};

}  // namespace sbp::file

#endif  // RUNTIME_FILE_OUTPUTFILE_H_
