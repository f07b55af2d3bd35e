// Named tensors in one file, in the safetensors format.
//
//   length of the header, 8 bytes, little endian
//   {"w": {"dtype": "F32", "shape": [4, 6], "data_offsets": [0, 96]}, ...,
//    "__metadata__": {"step": "100"}}
//   the data
//
// https://github.com/huggingface/safetensors

#ifndef RUNTIME_CHECKPOINT_SAFETENSORS_H_
#define RUNTIME_CHECKPOINT_SAFETENSORS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/file/MappedFile.h"
#include "runtime/file/OutputFile.h"
#include "runtime/plan/Plan.h"
#include "runtime/tensor/HostTensor.h"
#include "runtime/tensor/StoredType.h"

namespace sbp::checkpoint {

/// A tensor in the header of a file.
struct TensorInfo {
  std::string name;
  tensor::StoredType type = tensor::StoredType::kF32;
  std::vector<int64_t> shape;
};

/// The key-value pairs of a file's header besides its tensors.
using Metadata = std::map<std::string, std::string>;

/// A mapped safetensors file: elements are read from disk when they are
/// accessed.
class SafetensorsReader {
 public:
  /// Opens a file and reads its header. Fails if the file cannot be read, is
  /// not a safetensors file, or has an element type that is not a
  /// tensor::StoredType. Also fails if the offsets of a tensor contradict its
  /// shape, or if a byte of the data belongs to no tensor or to two tensors.
  /// The error names the file.
  static absl::StatusOr<SafetensorsReader> open(const std::string& path);

  const std::vector<TensorInfo>& tensors() const { return infos; }
  const Metadata& metadata() const { return fileMetadata; }

  /// Returns the elements of tensors()[index], dense and row-major. They may be
  /// unaligned.
  const std::byte* elements(size_t index) const {
    return reinterpret_cast<const std::byte*>(file.bytes().data()) +
           offsets[index];
  }

  /// Fails, naming the file, if it has become shorter since it was opened or
  /// could not be read.
  absl::Status checkWhole() const { return file.checkWhole(); }

 private:
  SafetensorsReader() = default;

  file::MappedFile file;
  std::vector<TensorInfo> infos;
  std::vector<int64_t> offsets;  // in the file
  Metadata fileMetadata;
};

/// Writes a safetensors file tensor by tensor, so that only one tensor at a
/// time needs to be in memory. No file appears unless commit() succeeds.
class SafetensorsWriter {
 public:
  /// Creates a file and writes its header. The caller must then call write()
  /// for all tensors, in the order of `tensors`, and at the end commit().
  static absl::StatusOr<SafetensorsWriter> create(
      const std::string& path, const std::vector<TensorInfo>& tensors,
      const Metadata& metadata);

  /// Writes the next tensor, which must have the type and shape that create()
  /// was given for it.
  absl::Status write(const tensor::HostTensor& tensor);

  /// Completes the file and gives it its name.
  absl::Status commit() { return file.commit(); }

 private:
  explicit SafetensorsWriter(file::OutputFile file) : file(std::move(file)) {}

  file::OutputFile file;
};

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_SAFETENSORS_H_
