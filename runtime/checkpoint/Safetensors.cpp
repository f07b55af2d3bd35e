#include "runtime/checkpoint/Safetensors.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "runtime/json/Cursor.h"
#include "runtime/plan/Box.h"
#include "runtime/plan/Names.h"
#include "runtime/plan/Words.h"
#include "runtime/status/Status.h"

namespace sbp::checkpoint {
namespace {

using tensor::StoredType;

constexpr std::string_view kMetadataKey = "__metadata__";
constexpr size_t kLengthBytes = 8;

constexpr plan::Word<StoredType> kDtypes[] = {
    {StoredType::kI1, "BOOL"},   {StoredType::kU8, "U8"},
    {StoredType::kU16, "U16"},   {StoredType::kU32, "U32"},
    {StoredType::kU64, "U64"},   {StoredType::kI8, "I8"},
    {StoredType::kI16, "I16"},   {StoredType::kI32, "I32"},
    {StoredType::kI64, "I64"},   {StoredType::kF16, "F16"},
    {StoredType::kBF16, "BF16"}, {StoredType::kF32, "F32"},
    {StoredType::kF64, "F64"}};

std::optional<StoredType> parseDtype(std::string_view text) {
  return plan::valueOf(kDtypes, text);
}

/// Returns the size of a tensor in bytes; nullopt if it is more than `limit` or
/// the shape is invalid.
std::optional<int64_t> bytesOf(const TensorInfo& info, int64_t limit) {
  int64_t bytes = tensor::byteWidth(info.type);
  for (int64_t extent : info.shape)
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes))
      return std::nullopt;
  if (bytes > limit) return std::nullopt;
  return bytes;
}

/// Returns the text of the header; nullopt if the file is too short.
std::optional<std::string_view> headerText(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) return std::nullopt;
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i)
    length |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  if (length > bytes.size() - kLengthBytes) return std::nullopt;
  return bytes.substr(kLengthBytes, length);
}

/// The range of bytes in the data that belongs to a tensor.
struct ByteRange {
  int64_t begin, end;  // in bytes
  std::string name;

  std::string describe() const {
    return fmt::format("\"{}\" at bytes [{}, {})", name, begin, end);
  }
};

/// Fails unless each of `dataBytes` bytes belongs to exactly one tensor.
absl::Status checkCover(std::vector<ByteRange> ranges, int64_t dataBytes) {
  // An empty tensor sorts before the tensor that begins at the same byte.
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) {
              return std::tie(a.begin, a.end, a.name) <
                     std::tie(b.begin, b.end, b.name);
            });
  int64_t covered = 0;
  const auto checkNoHole = [&](int64_t next) {
    return next == covered
               ? absl::OkStatus()
               : error("bytes [{}, {}) of its data belong to no tensor",
                       covered, next);
  };
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].begin < covered)
      return error("tensors {} and {} overlap", ranges[i - 1].describe(),
                   ranges[i].describe());
    SBP_RETURN_IF_ERROR(checkNoHole(ranges[i].begin));
    covered = ranges[i].end;
  }
  return checkNoHole(dataBytes);
}

}  // namespace

absl::StatusOr<SafetensorsReader> SafetensorsReader::open(
    const std::string& path) {
  SafetensorsReader reader;
  SBP_ASSIGN_OR_RETURN(reader.file, file::MappedFile::open(path));
  const std::string_view bytes = reader.file.bytes();
  const auto text = headerText(bytes);
  if (!text) return error("cannot read {}: it is no safetensors file", path);
  const auto header = json::parse(*text);
  if (!header.ok())
    return error("cannot read {}: it is no safetensors file: {}", path,
                 textOf(header.status()));

  absl::Status status;
  const json::Cursor root(*header, status);
  const int64_t dataOffset = int64_t(kLengthBytes + text->size());
  const int64_t dataBytes = int64_t(bytes.size()) - dataOffset;
  std::vector<ByteRange> ranges;
  for (const std::string& name : root.keys()) {
    const json::Cursor entry = root[name];
    if (name == kMetadataKey) {
      for (const std::string& key : entry.keys())
        reader.fileMetadata[key] = entry[key].string();
      continue;
    }
    TensorInfo info;
    info.name = name;
    info.type = entry["dtype"].parsed(
        parseDtype, "F16, BF16, F32, F64, I8 to I64, U8 to U64 or BOOL");
    info.shape = entry["shape"].integers();
    const std::vector<int64_t> range = entry["data_offsets"].integers();
    const auto size = bytesOf(info, dataBytes);
    if (!size || range.size() != 2 || range[0] < 0 || range[1] > dataBytes ||
        range[0] > range[1] || range[1] - range[0] != *size)
      entry.fail(
          size ? fmt::format("{} takes {} bytes, but its data_offsets are [{}] "
                             "in {} bytes of data",
                             tensor::toString(info.type, info.shape), *size,
                             fmt::join(range, ", "), dataBytes)
               : fmt::format("{} does not fit into {} bytes of data",
                             tensor::toString(info.type, info.shape),
                             dataBytes));
    else
      ranges.push_back({range[0], range[1], name});
    reader.infos.push_back(std::move(info));
  }
  if (status.ok()) {
    for (const ByteRange& range : ranges)
      reader.offsets.push_back(dataOffset + range.begin);
    status = checkCover(std::move(ranges), dataBytes);
  }
  SBP_RETURN_IF_ERROR(reader.file.checkWhole());
  if (!status.ok()) return error("cannot read {}: {}", path, textOf(status));
  return reader;
}

absl::StatusOr<SafetensorsWriter> SafetensorsWriter::create(
    const std::string& path, const std::vector<TensorInfo>& tensors,
    const Metadata& metadata) {
  json::Value header = json::Value::object();
  json::Value& about = header[std::string(kMetadataKey)];
  about = json::Value::object();
  for (const auto& [key, value] : metadata) about[key] = value;
  int64_t offset = 0;
  for (const TensorInfo& info : tensors) {
    const int64_t end =
        offset + plan::numElements(info.shape) * tensor::byteWidth(info.type);
    header[info.name] = {{"dtype", plan::textOf(kDtypes, info.type)},
                         {"shape", info.shape},
                         {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  // Pad the header so that elements of 8 bytes are aligned in a mapped file.
  while (text.size() % 8 != 0) text += ' ';
  std::string length(kLengthBytes, '\0');
  for (size_t i = 0; i < kLengthBytes; ++i)
    length[i] = char(uint64_t{text.size()} >> (8 * i));

  SBP_ASSIGN_OR_RETURN(file::OutputFile file, file::OutputFile::create(path));
  SBP_RETURN_IF_ERROR(file.write(length));
  SBP_RETURN_IF_ERROR(file.write(text));
  return SafetensorsWriter(std::move(file));
}

absl::Status SafetensorsWriter::write(const tensor::HostTensor& tensor) {
  return file.write(tensor.data.data(), tensor.data.size());
}

}  // namespace sbp::checkpoint
