#include "runtime/data/Npy.h"

#include <charconv>
#include <optional>
#include <utility>

#include "runtime/plan/Box.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/Words.h"
#include "runtime/status/Status.h"
#include "runtime/text/Counted.h"

namespace sbp::data {
namespace {

using tensor::StoredType;

constexpr std::string_view kMagic = "\x93NUMPY";

// The data begins at a multiple of this number of bytes, so that it can be
// mapped.
constexpr size_t kHeaderAlignment = 64;

constexpr plan::Word<StoredType> kDescrs[] = {
    {StoredType::kI1, "|b1"},  {StoredType::kU8, "|u1"},
    {StoredType::kU16, "<u2"}, {StoredType::kU32, "<u4"},
    {StoredType::kU64, "<u8"}, {StoredType::kI8, "|i1"},
    {StoredType::kI16, "<i2"}, {StoredType::kI32, "<i4"},
    {StoredType::kI64, "<i8"}, {StoredType::kF16, "<f2"},
    {StoredType::kF32, "<f4"}, {StoredType::kF64, "<f8"}};

/// Reads a Python dictionary literal of strings, booleans and tuples of
/// numbers, from front to back. After a mismatch, no further reads match.
class Literal {
 public:
  explicit Literal(std::string_view text) : rest(text) {}

  bool take(std::string_view token) {
    while (!rest.empty() && rest[0] == ' ') rest.remove_prefix(1);
    if (rest.substr(0, token.size()) != token) return false;
    rest.remove_prefix(token.size());
    return true;
  }

  std::optional<std::string_view> string() {
    for (const char* quote : {"'", "\""}) {
      if (!take(quote)) continue;
      const size_t end = rest.find(*quote);
      if (end == rest.npos) return std::nullopt;
      const std::string_view text = rest.substr(0, end);
      rest.remove_prefix(end + 1);
      return text;
    }
    return std::nullopt;
  }

  std::optional<std::vector<int64_t>> tuple() {
    std::vector<int64_t> elements;
    if (!take("(")) return std::nullopt;
    while (!take(")")) {
      take("");  // skips spaces
      int64_t element = 0;
      const auto [end, code] =
          std::from_chars(rest.data(), rest.data() + rest.size(), element);
      if (code != std::errc()) return std::nullopt;
      rest.remove_prefix(end - rest.data());
      elements.push_back(element);
      if (!take(",") && (rest.empty() || rest[0] != ')')) return std::nullopt;
    }
    return elements;
  }

 private:
  std::string_view rest;
};

/// The values in the dictionary of a header.
struct Dictionary {
  std::string_view descr;
  bool isFortranOrder = false;
  std::vector<int64_t> shape;
};

std::optional<Dictionary> parseDictionary(std::string_view text) {
  Literal literal(text);
  Dictionary result;
  bool hasDescr = false, hasOrder = false, hasShape = false;
  if (!literal.take("{")) return std::nullopt;
  while (!literal.take("}")) {
    const auto key = literal.string();
    if (!key || !literal.take(":")) return std::nullopt;
    if (*key == "descr") {
      const auto descr = literal.string();
      if (!descr) return std::nullopt;
      result.descr = *descr;
      hasDescr = true;
    } else if (*key == "fortran_order") {
      result.isFortranOrder = literal.take("True");
      if (!result.isFortranOrder && !literal.take("False")) return std::nullopt;
      hasOrder = true;
    } else if (*key == "shape") {
      auto shape = literal.tuple();
      if (!shape) return std::nullopt;
      result.shape = std::move(*shape);
      hasShape = true;
    } else {
      return std::nullopt;
    }
    literal.take(",");
  }
  if (!hasDescr || !hasOrder || !hasShape) return std::nullopt;
  return result;
}

/// Returns the number of elements of `shape`; nullopt if it is invalid or
/// larger than any file.
std::optional<int64_t> countOf(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count) ||
        count >= int64_t{1} << 60)
      return std::nullopt;
  return count;
}

/// Returns the text of the header; nullopt if this is not a .npy file.
std::optional<std::string_view> headerText(std::string_view bytes) {
  if (bytes.size() < 10 || !isNpy(bytes)) return std::nullopt;
  const int version = static_cast<unsigned char>(bytes[6]);
  const size_t lengthBytes = version == 1 ? 2 : 4;
  const size_t begin = 8 + lengthBytes;
  if (version < 1 || version > 3 || bytes.size() < begin) return std::nullopt;
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= size_t{static_cast<unsigned char>(bytes[8 + i])} << (8 * i);
  if (length > bytes.size() - begin) return std::nullopt;
  return bytes.substr(begin, length);
}

}  // namespace

bool isNpy(std::string_view bytes) {
  return bytes.substr(0, kMagic.size()) == kMagic;
}

absl::StatusOr<NpyHeader> parseNpyHeader(std::string_view bytes) {
  const auto head = headerText(bytes);
  const auto dictionary = head ? parseDictionary(*head) : std::nullopt;
  if (!dictionary) return error("it is no .npy file of version 1, 2 or 3");
  NpyHeader header;
  const auto type = plan::valueOf(kDescrs, dictionary->descr);
  if (!type)
    return error(
        "its elements are '{}'; accepted are '|b1' (bool), '<f2', '<f4', '<f8' "
        "(float16 to float64), '|i1', '<i2', '<i4', '<i8' and '|u1', '<u2', "
        "'<u4', '<u8' (integers)",
        dictionary->descr);
  header.type = *type;
  header.isFortranOrder = dictionary->isFortranOrder;
  header.shape = dictionary->shape;
  header.dataOffset = head->data() + head->size() - bytes.data();
  const auto count = countOf(header.shape);
  const int64_t bytesPresent = int64_t(bytes.size()) - header.dataOffset;
  const std::string shape = tensor::toString(header.type, header.shape);
  const int64_t width = tensor::byteWidth(header.type);
  if (!count || *count > bytesPresent / width)
    return error("it has {} of data, too few for its shape {}",
                 text::counted(bytesPresent, "byte"), shape);
  if (*count * width != bytesPresent)
    return error("it has {} of data, but its shape {} takes {}",
                 text::counted(bytesPresent, "byte"), shape, *count * width);
  return header;
}

absl::StatusOr<NpyFile> NpyFile::open(const std::string& path) {
  SBP_ASSIGN_OR_RETURN(file::MappedFile file, file::MappedFile::open(path));
  absl::StatusOr<NpyHeader> header = parseNpyHeader(file.bytes());
  if (!header.ok())
    return error("cannot read {}: {}", path, textOf(header.status()));
  return NpyFile(std::move(file), *std::move(header));
}

absl::Status writeNpy(const std::string& path,
                      const tensor::HostTensor& given) {
  const tensor::HostTensor whole = given.withoutBFloat16();
  std::string shape;
  for (int64_t extent : whole.shape) shape += fmt::format("{}, ", extent);
  std::string text = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
      plan::textOf(kDescrs, tensor::storedTypeOf(whole.elementType)), shape);
  const size_t unpadded = kMagic.size() + 4 + text.size() + 1;
  const size_t padded =
      (unpadded + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment;
  text.append(padded - unpadded, ' ');
  text += '\n';
  if (text.size() > 0xFFFF)
    return error("cannot write {}: {} dimensions", path, whole.shape.size());

  SBP_ASSIGN_OR_RETURN(file::OutputFile file, file::OutputFile::create(path));
  const char version[] = {1, 0, char(text.size()), char(text.size() >> 8)};
  SBP_RETURN_IF_ERROR(file.write(kMagic));
  SBP_RETURN_IF_ERROR(file.write(version, sizeof version));
  SBP_RETURN_IF_ERROR(file.write(text));
  SBP_RETURN_IF_ERROR(file.write(whole.data.data(), whole.data.size()));
  return file.commit();
}

}  // namespace sbp::data
