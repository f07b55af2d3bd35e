// A mapped file of tokens. It is a text, whose tokens are its bytes, or a file
// of token ids without a header, like nanoGPT's train.bin, or a .npy file of
// one dimension.

#ifndef RUNTIME_DATA_TOKENFILE_H_
#define RUNTIME_DATA_TOKENFILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/file/MappedFile.h"
#include "runtime/tensor/StoredType.h"

namespace sbp::data {

/// The tokens of a file.
class TokenFile {
 public:
  /// Opens a text. Fails if MappedFile::open fails.
  static absl::StatusOr<TokenFile> openText(const std::string& path);

  /// Opens a file of token ids of type `type`, or a .npy file, whose header
  /// gives the type. Fails if the file cannot be read, if its size is not a
  /// whole number of tokens, or if it is a .npy file that does not hold
  /// integers in one dimension.
  static absl::StatusOr<TokenFile> open(const std::string& path,
                                        tensor::StoredType type);

  const std::string& path() const { return filePath; }
  tensor::StoredType type() const { return tokenType; }
  bool isText() const { return hasBytes; }

  /// Whether the file is read as uint16 but seems to hold uint32: it has no
  /// header, and among its first 4096 tokens exactly every second token is 0.
  bool seemsWider() const;

  /// Returns the number of tokens.
  int64_t size() const;

  /// Returns the `count` tokens from index `begin` on, without copying them.
  tensor::StoredNumbers tokens(int64_t begin, int64_t count) const;

  /// Fails, naming the file, if it has become shorter since it was opened or
  /// could not be read.
  absl::Status checkWhole() const { return file.checkWhole(); }

 private:
  TokenFile(std::string path, file::MappedFile file, tensor::StoredType type,
            int64_t offset)
      : filePath(std::move(path)),
        file(std::move(file)),
        tokenType(type),
        offset(offset) {}

  std::string filePath;
  file::MappedFile file;
  tensor::StoredType tokenType;
  int64_t offset;  // of the first token in the file, bytes
  bool hasBytes = false;
  bool hasHeader = false;
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_TOKENFILE_H_
