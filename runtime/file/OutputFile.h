// Output files that appear complete or not at all.
//
// The bytes are written to a temporary file in the same folder, which is
// renamed when everything is written. A reader never sees half a file, and a
// run that fails leaves what was there before.
//
//   gpt.safetensors.Xc51Wd.partial  ->  gpt.safetensors
//
// A process that is killed while it writes leaves its temporary file. The next
// process that writes a file of this name removes it. A lock (flock), which the
// kernel releases when a process ends, tells whether a temporary file is still
// being written.

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

/// Fails if a file cannot be created at `path` now, with the reason. Leaves no
/// file, and removes leftovers of a file of this name. For checks before a long
/// run.
absl::Status checkWritable(const std::string& path);

/// Returns the number of bytes that this user may still write on the file
/// system of `path`; nullopt if it does not report them.
std::optional<int64_t> freeBytes(const std::string& path);

/// Removes temporary files in `folder` that ended processes have left, for
/// files whose names `isWanted` accepts.
void removeLeftovers(const std::string& folder,
                     const std::function<bool(std::string_view)>& isWanted);

/// A path split into folder and name: "a/b" into "a/" and "b", "b" into "./"
/// and "b".
struct SplitPath {
  explicit SplitPath(const std::string& path);
  std::string folder, name;
};

/// A file that is being written.
class OutputFile {
 public:
  /// Creates the temporary file. Fails if `path` exists and is not a regular
  /// file, or if its folder cannot be written.
  static absl::StatusOr<OutputFile> create(const std::string& path);

  OutputFile(OutputFile&& other) noexcept
      : path(std::move(other.path)),
        temporary(std::exchange(other.temporary, {})),
        fd(std::exchange(other.fd, -1)) {}
  OutputFile& operator=(OutputFile&&) = delete;

  /// Removes the temporary file unless commit() has renamed it.
  ~OutputFile();

  absl::Status write(const void* data, size_t bytes);
  absl::Status write(std::string_view text) {
    return write(text.data(), text.size());
  }

  /// Completes the file durably, and replaces any file at its path.
  absl::Status commit();

 private:
  OutputFile(std::string path, std::string temporary, int fd)
      : path(std::move(path)), temporary(std::move(temporary)), fd(fd) {}

  std::string path;
  std::string temporary;
  int fd = -1;
};

/// Makes `alias` a hard link to the file `path`, in the same folder, and
/// replaces any file called `alias`. Where hard links are not supported, it
/// makes a symbolic link. Fails if neither can be made.
absl::Status linkAs(const std::string& path, const std::string& alias);

}  // namespace sbp::file

#endif  // RUNTIME_FILE_OUTPUTFILE_H_
