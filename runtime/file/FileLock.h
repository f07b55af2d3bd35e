// The right to write a file, which one process at a time has, for as long as it
// lives.
//
// It is a lock (flock) of a file beside that one, PATH.lock, which says who has
// it. The kernel takes the lock from a process that ends, however that ends, so
// that a file that is left stops nobody.

#ifndef RUNTIME_FILE_FILELOCK_H_
#define RUNTIME_FILE_FILELOCK_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace sbp::file {

class FileLock {
 public:
  /// Takes the lock of the file `path`. Fails if another process has it, with
  /// what that says of itself, or if no lock can be made. A file system without
  /// locks gives one to everybody.
  static absl::StatusOr<FileLock> take(const std::string& path);

  FileLock(FileLock&& other) noexcept
      : lockPath(std::exchange(other.lockPath, {})),
        fd(std::exchange(other.fd, -1)) {}
  FileLock& operator=(FileLock&&) = delete;

  /// Gives the lock back, and removes its file.
  ~FileLock();

 private:
  FileLock(std::string lockPath, int fd)
      : lockPath(std::move(lockPath)), fd(fd) {}

  std::string lockPath;
  int fd = -1;
};

}  // namespace sbp::file

#endif  // RUNTIME_FILE_FILELOCK_H_
