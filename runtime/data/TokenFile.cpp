#include "runtime/data/TokenFile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/data/Npy.h"
#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"

namespace sbp::data {

using tensor::StoredType;

absl::StatusOr<TokenFile> TokenFile::openText(const std::string& path) {
  SBP_ASSIGN_OR_RETURN(file::MappedFile file, file::MappedFile::open(path));
  TokenFile tokens(path, std::move(file), StoredType::kU8, /*offset=*/0);
  tokens.hasBytes = true;
  return tokens;
}

absl::StatusOr<TokenFile> TokenFile::open(const std::string& path,
                                          StoredType type) {
  SBP_ASSIGN_OR_RETURN(file::MappedFile file, file::MappedFile::open(path));
  if (isNpy(file.bytes())) {
    const absl::StatusOr<NpyHeader> header = parseNpyHeader(file.bytes());
    if (!header.ok())
      return error("cannot read {}: {}", path, textOf(header.status()));
    if (header->shape.size() != 1 ||
        !tensor::canBecome(header->type, plan::ElementType::kI64))
      return error("{} holds {}; tokens are integers in one dimension", path,
                   tensor::toString(header->type, header->shape));
    TokenFile tokens(path, std::move(file), header->type, header->dataOffset);
    tokens.hasHeader = true;
    return tokens;
  }
  const int64_t width = tensor::byteWidth(type);
  if (int64_t(file.bytes().size()) % width != 0)
    return error("{} has {}, which are no whole number of tokens of {}", path,
                 text::counted(int64_t(file.bytes().size()), "byte"),
                 tensor::toString(type));
  return TokenFile(path, std::move(file), type, /*offset=*/0);
}

bool TokenFile::seemsWider() const {
  constexpr int64_t kNumLookedAt = 4096;
  if (hasHeader || tokenType != StoredType::kU16) return false;
  const int64_t count = std::min(kNumLookedAt, size() / 2 * 2);
  const auto* first = reinterpret_cast<const uint16_t*>(file.bytes().data());
  for (int64_t token = 0; token < count; ++token)
    if ((first[token] == 0) != (token % 2 == 1)) return false;
  return count > 0;
}

int64_t TokenFile::size() const {
  return (int64_t(file.bytes().size()) - offset) / tensor::byteWidth(tokenType);
}

tensor::StoredNumbers TokenFile::tokens(int64_t begin, int64_t count) const {
  const char* first =
      file.bytes().data() + offset + begin * tensor::byteWidth(tokenType);
  return {tokenType, reinterpret_cast<const std::byte*>(first), count};
}

}  // namespace sbp::data
