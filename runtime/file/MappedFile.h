// A file as memory: read where it is touched, shared by all ranks of a host.
//
// Somebody may shorten a file while it is mapped. To touch what is gone would
// end the process (SIGBUS); here it reads as zeros, and checkWhole() tells
// afterwards. Whoever has read asks it before using what was read.

#ifndef RUNTIME_FILE_MAPPEDFILE_H_
#define RUNTIME_FILE_MAPPEDFILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::file {

class MappedFile {
 public:
  /// Fails, naming the file and the cause, if it cannot be opened or is no
  /// regular file. From the first call on, the process handles SIGBUS.
  static absl::StatusOr<MappedFile> open(const std::string& path);

  MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const;

  /// Fails, naming the file, if it has become shorter since it was opened: what
  /// has been read of it may be zeros.
  absl::Status checkWhole() const;

 private:
  class Mapping;

  std::unique_ptr<Mapping> mapping;  // none of an empty file
};

}  // namespace sbp::file

#endif  // RUNTIME_FILE_MAPPEDFILE_H_
