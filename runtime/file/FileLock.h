// A lock by which at most one process at a time may write a file.
//
// The lock is a flock on another file, PATH.lock, which contains the host and
// process id of the owner. The kernel releases the lock when the owner ends,
// for whatever reason. So if a lock file is left over, it does not keep other
// processes from taking the lock.

#ifndef RUNTIME_FILE_FILELOCK_H_
#define RUNTIME_FILE_FILELOCK_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace sbp::file {

/// A lock that is held until destruction.
class FileLock {
 public:
  /// Takes the lock for the file `path`, without waiting. Fails if a process,
  /// which may be this one, holds the lock; the error names that process. Also
  /// fails if the lock file cannot be made. On a file system without locks,
  /// several processes may take the lock.
  static absl::StatusOr<FileLock> take(const std::string& path);

  FileLock(FileLock&& other) noexcept
      : lockPath(std::exchange(other.lockPath, {})),
        fd(std::exchange(other.fd, -1)) {}
  FileLock& operator=(FileLock&&) = delete;

  /// Releases the lock and removes its file.
  ~FileLock();

 private:
  FileLock(std::string lockPath, int fd)
      : lockPath(std::move(lockPath)), fd(fd) {}

  std::string lockPath;
  int fd = -1;
};

}  // namespace sbp::file

#endif  // RUNTIME_FILE_FILELOCK_H_
