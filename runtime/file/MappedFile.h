// A file mapped into memory: pages are read when they are accessed, and shared
// by all ranks of a host.
//
// A file may be shortened while it is mapped. Access to the lost part would
// normally end the process (SIGBUS). Here the lost part reads as zeros, and
// checkWhole() reports the loss afterwards. So a reader must call checkWhole()
// after reading, before it uses what it has read.

#ifndef RUNTIME_FILE_MAPPEDFILE_H_
#define RUNTIME_FILE_MAPPEDFILE_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace sbp::file {

/// A read-only mapping of a file.
class MappedFile {
 public:
  /// Maps a file. Fails if the file cannot be opened or mapped, or is not a
  /// regular file; the error names the file and the cause. After the first
  /// call, the process has a handler of SIGBUS until it ends.
  static absl::StatusOr<MappedFile> open(const std::string& path);

  /// Constructs an empty file.
  MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  /// Returns the content of the file, valid until this object is destroyed.
  std::string_view bytes() const;

  /// Fails, naming the file, if it has become shorter since it was opened, or
  /// if reading a part of it has failed. Data that was read may then be zeros.
  absl::Status checkWhole() const;

 private:
  class Mapping;

  std::unique_ptr<Mapping> mapping;  // null for an empty file
};

}  // namespace sbp::file

#endif  // RUNTIME_FILE_MAPPEDFILE_H_
