// A file of tokens, one after the other, mapped: a text, whose tokens are its
// bytes, or numbers without a header, as nanoGPT's train.bin has them, or a
// .npy file of one dimension.

#ifndef RUNTIME_DATA_TOKENFILE_H_
#define RUNTIME_DATA_TOKENFILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/file/MappedFile.h"
#include "runtime/tensor/StoredType.h"

namespace sbp::data {

class TokenFile {
 public:
  /// Fails as MappedFile::open does.
  static absl::StatusOr<TokenFile> openText(const std::string& path);

  /// Opens a file of tokens of `type`; a .npy file says itself of which. Fails
  /// if it cannot be read, has half a token at its end, or is a .npy file of
  /// several dimensions or of no integers.
  static absl::StatusOr<TokenFile> open(const std::string& path,
                                        tensor::StoredType type);

  const std::string& path() const { return filePath; }
  tensor::StoredType type() const { return tokenType; }
  bool isText() const { return hasBytes; }

  /// Number of tokens.
  int64_t size() const;

  /// The `count` tokens from `begin` on.
  tensor::StoredNumbers tokens(int64_t begin, int64_t count) const;

  /// Fails, naming the file, if it has become shorter.
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
  int64_t offset;  // of the first token, in bytes
  bool hasBytes = false;
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_TOKENFILE_H_
