#include "runtime/file/MappedFile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "runtime/file/MappedRegions.h"
#include "runtime/status/Status.h"

namespace sbp::file {

/// The mapped memory, and the open file, which may have been renamed or
/// removed.
class MappedFile::Mapping {
 public:
  Mapping(std::string path, int descriptor, void* memory, size_t size)
      : path(std::move(path)), descriptor(descriptor) {
    view = {static_cast<const char*>(memory), size};
    region.emplace(memory, size);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    region.reset();
    munmap(const_cast<char*>(view.data()), view.size());
    close(descriptor);
  }

  std::string_view bytes() const { return view; }

  absl::Status checkWhole() const {
    struct stat status;
    const bool isShorter =
        fstat(descriptor, &status) == 0 && size_t(status.st_size) < view.size();
    if (isShorter)
      return error("cannot read {}: it had {} bytes, and became shorter", path,
                   view.size());
    // A read error of the device also raises SIGBUS.
    return region->hasLostPages()
               ? error("cannot read {}: a part of it could not be read", path)
               : absl::OkStatus();
  }

 private:
  std::string path;
  int descriptor;
  std::string_view view;
  std::optional<MappedRegion> region;
};

absl::StatusOr<MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a pipe without a writer would block. Pipes are refused
  // below.
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
    // An empty file cannot be mapped; it has an empty view.
    void* memory = mmap(nullptr, status.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (memory != MAP_FAILED) {
      file.mapping =
          std::make_unique<Mapping>(path, fd, memory, status.st_size);
      return file;
    }
    result = error("cannot map {}: {}", path, std::strerror(errno));
  }
  close(fd);
  if (!result.ok()) return result;
  return file;
}

MappedFile::MappedFile() = default;
MappedFile::MappedFile(MappedFile&& other) noexcept = default;
MappedFile& MappedFile::operator=(MappedFile&& other) noexcept = default;
MappedFile::~MappedFile() = default;

std::string_view MappedFile::bytes() const {
  return mapping ? mapping->bytes() : std::string_view();
}

absl::Status MappedFile::checkWhole() const {
  return mapping ? mapping->checkWhole() : absl::OkStatus();
}

}  // namespace sbp::file
