// Output files that appear complete or not at all.
//
// The bytes are written to a temporary file in the same folder, which is
// renamed when everything is written. A reader never sees half a file, and a
// run that fails does not change the file that was there before.
//
//   gpt.safetensors.Xc51Wd.partial  ->  gpt.safetensors
//
// A process that is killed while it writes leaves its temporary file. A later
// call of checkWritable() for the same path removes it. A lock (flock), which
// the kernel releases when a process ends, shows whether a temporary file is
// still being written; on a file system without locks, none is removed.

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

/// Fails, with the reason, if a file cannot be created at `path` now. Leaves no
/// new file. Removes the temporary files for `path` that ended processes have
/// left. Programs call it before a long run.
absl::Status checkWritable(const std::string& path);

/// Returns the number of bytes that a user who is not root may still write on
/// the file system of `path`; nullopt if the file system does not report it.
std::optional<int64_t> freeBytes(const std::string& path);

/// Removes temporary files that ended processes have left in `folder`, which
/// ends in '/'. `isWanted` gets the name that the complete file would have had,
/// and returns whether to remove the temporary file.
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
  /// file, or if no file can be created in its folder.
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

  /// Makes sure that all bytes are on the disk, and renames the file to its
  /// path, where it replaces an existing file. Call it at most once, as the
  /// last method.
  absl::Status commit();

 private:
  OutputFile(std::string path, std::string temporary, int fd)
      : path(std::move(path)), temporary(std::move(temporary)), fd(fd) {}

  std::string path;
  std::string temporary;
  int fd = -1;
};

/// Makes `alias`, a path in the same folder, a hard link to the file `path`.
/// Replaces an existing file at `alias`. Where hard links are not supported, it
/// makes a symbolic link. Fails if neither can be made.
absl::Status linkAs(const std::string& path, const std::string& alias);

}  // namespace sbp::file

#endif  // RUNTIME_FILE_OUTPUTFILE_H_
