#include "runtime/file/MappedFile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/status/Status.h"

namespace sbp::file {

absl::StatusOr<MappedFile> MappedFile::open(const std::string& path) {
  // A pipe without a writer would be waited for; it is refused below.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return error("cannot read {}: {}", path, std::strerror(errno));
  struct stat status;
  MappedFile file;
  absl::Status result;
  if (fstat(fd, &status) != 0) {
    result = error("cannot read {}: {}", path, std::strerror(errno));
  } else if (!S_ISREG(status.st_mode)) {
    result = error("cannot read {}: it is no regular file", path);
  } else if (status.st_size > 0) {
    // An empty file cannot be mapped; it is an empty view.
    void* memory = mmap(nullptr, status.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) {
      result = error("cannot map {}: {}", path, std::strerror(errno));
    } else {
      file.view = {static_cast<const char*>(memory), size_t(status.st_size)};
    }
  }
  close(fd);
  if (!result.ok()) return result;
  return file;
}

MappedFile::~MappedFile() {
  if (!view.empty()) munmap(const_cast<char*>(view.data()), view.size());
}

}  // namespace sbp::file
