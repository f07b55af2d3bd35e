#include "runtime/file/OutputFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/status/Status.h"

namespace sbp::file {
namespace {

absl::Status cannotWrite(const std::string& path) {
  return error("cannot write {}: {}", path, std::strerror(errno));
}

}  // namespace

absl::Status checkWritable(const std::string& path) {
  return OutputFile::create(path).status();
}

absl::StatusOr<OutputFile> OutputFile::create(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return error("cannot write {}: it is {}", path,
                 S_ISDIR(status.st_mode) ? "a folder" : "no regular file");
  std::string temporary = path + ".XXXXXX";
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return cannotWrite(path);
  // mkostemp makes files private; a new file has the mode that the user asked
  // for.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, 0666 & ~mask);
  return OutputFile(path, std::move(temporary), fd);
}

OutputFile::~OutputFile() {
  if (fd >= 0) close(fd);
  if (!temporary.empty()) unlink(temporary.c_str());
}

absl::Status OutputFile::write(const void* data, size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(fd, next, std::min(bytes, size_t{1} << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannotWrite(path);
    next += written;
    bytes -= written;
  }
  return absl::OkStatus();
}

absl::Status OutputFile::commit() {
  if (fsync(fd) != 0) return cannotWrite(path);
  const int closed = close(std::exchange(fd, -1));
  if (closed != 0 || rename(temporary.c_str(), path.c_str()) != 0)
    return cannotWrite(path);
  temporary.clear();
  return absl::OkStatus();
}

}  // namespace sbp::file
