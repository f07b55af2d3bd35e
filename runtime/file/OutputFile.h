// A file that appears whole or not at all.
//
// The bytes go to a temporary file beside the final one, which takes its name
// when everything is written. A reader never sees half of it, and a run that
// fails leaves what was there before.
//
//   gpt.safetensors.Xc51Wd.partial  ->  gpt.safetensors
//
// A process that is killed while it writes cannot remove its temporary file;
// the next one that writes such a file does. It knows by a lock (flock) which
// are being written: the kernel takes it from a process that ends.

#ifndef RUNTIME_FILE_OUTPUTFILE_H_
#define RUNTIME_FILE_OUTPUTFILE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::file {

/// OK if a file can be made at `path` now; otherwise why not. Leaves nothing,
/// not even what processes that have ended left of a file of this name. For
/// finding out before a long run.
absl::Status checkWritable(const std::string& path);

/// Bytes that the device of `path` still takes; nothing if it does not say.
std::optional<int64_t> freeBytes(const std::string& path);

/// Removes what processes that have ended left, half written, of the files in
/// `folder` whose names `isWanted` accepts.
void removeLeftovers(const std::string& folder,
                     const std::function<bool(std::string_view)>& isWanted);

/// A path as folder and name: "a/b" is "a/" and "b", "b" is "./" and "b".
struct SplitPath {
  explicit SplitPath(const std::string& path);
  std::string folder, name;
};

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

/// Makes `alias` a second name of the file `path`, in the same folder, in place
/// of any file that had it. Where two names cannot share a file it becomes a
/// symbolic link. Fails if neither can be made.
absl::Status linkAs(const std::string& path, const std::string& alias);

}  // namespace sbp::file

#endif  // RUNTIME_FILE_OUTPUTFILE_H_
