#include "runtime/file/FileLock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/status/Status.h"

namespace sbp::file {
namespace {

constexpr char kEnding[] = ".lock";

/// Writes the owner of the lock into the lock file `fd`. The lock holds even if
/// this fails.
void writeOwner(int fd) {
  char host[256] = "unknown";
  gethostname(host, sizeof host - 1);
  const std::string owner = fmt::format("host {}, pid {}", host, getpid());
  const bool isEmpty = ftruncate(fd, 0) == 0;
  if (isEmpty) (void)!pwrite(fd, owner.data(), owner.size(), 0);
}

/// Returns what the owner of the lock has written into `fd`.
std::string ownerOf(int fd) {
  char text[512];
  const ssize_t size = pread(fd, text, sizeof text, 0);
  return std::string(text, size > 0 ? size : 0);
}

/// Whether `fd` is still the file at `path`. The previous owner of the lock may
/// have removed the file.
bool hasName(int fd, const std::string& path) {
  struct stat opened, named;
  return fstat(fd, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

absl::StatusOr<FileLock> FileLock::take(const std::string& path) {
  const std::string lockPath = path + kEnding;
  while (true) {
    const int fd =
        open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd < 0)
      return error("cannot write {}: {}", lockPath, std::strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      const std::string owner = ownerOf(fd);
      close(fd);
      return error("cannot write {}: another run writes there ({})", path,
                   owner.empty() ? "it has " + lockPath : owner);
    }
    if (!hasName(fd, lockPath)) {
      close(fd);
      continue;
    }
    writeOwner(fd);
    return FileLock(lockPath, fd);
  }
}

FileLock::~FileLock() {
  if (fd < 0) return;
  unlink(lockPath.c_str());
  close(fd);
}

}  // namespace sbp::file
