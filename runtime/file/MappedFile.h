// A file as memory: read where it is touched, shared by all ranks of a host.

#ifndef RUNTIME_FILE_MAPPEDFILE_H_
#define RUNTIME_FILE_MAPPEDFILE_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"

namespace sbp::file {

class MappedFile {
 public:
  /// Fails, naming the file and the cause, if it cannot be opened or is no
  /// regular file. A file that others shorten while it is mapped is beyond
  /// help: touching what is gone kills the process.
  static absl::StatusOr<MappedFile> open(const std::string& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept
      : view(std::exchange(other.view, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(view, other.view);
    return *this;
  }
  ~MappedFile();

  std::string_view bytes() const { return view; }

 private:
  std::string_view view;
};

}  // namespace sbp::file

#endif  // RUNTIME_FILE_MAPPEDFILE_H_
