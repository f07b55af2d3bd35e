// The files that --load reads: one safetensors file, or several, which an index
// lists, with the tensors of one model. An index is a JSON file:
//
//   {"metadata": {"total_size": 548118077},
//    "weight_map": {"w": "model-00001-of-00002.safetensors", ...}}
//
// https://huggingface.co/docs/transformers/big_models#sharded-checkpoints

#ifndef RUNTIME_CHECKPOINT_TENSORFILES_H_
#define RUNTIME_CHECKPOINT_TENSORFILES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/checkpoint/Safetensors.h"

namespace sbp::checkpoint {

/// The tensors of one safetensors file, or of all files of an index.
class TensorFiles {
 public:
  /// Opens the file at `path`. If the name ends in ".json", the file is an
  /// index. Then all files that the index names are opened; they are in its
  /// folder. Tensors that the index does not name are left out. Fails if
  /// SafetensorsReader::open fails, if the index cannot be read or is
  /// malformed, or if a file lacks a tensor that the index places in it.
  static absl::StatusOr<TensorFiles> open(const std::string& path);

  /// Returns the files that open() opens for `path`: `path` itself and, if it
  /// is an index, the files that it names, each once. Fails if the index cannot
  /// be read or is malformed.
  static absl::StatusOr<std::vector<std::string>> filesOf(
      const std::string& path);

  const std::vector<TensorInfo>& tensors() const { return infos; }

  /// The metadata of a single file; empty for an index.
  const Metadata& metadata() const { return fileMetadata; }

  /// Returns the elements of tensors()[index], dense and row-major. They may be
  /// unaligned.
  const std::byte* elements(size_t index) const {
    return files[locations[index].file].elements(locations[index].tensor);
  }

  /// Fails, naming the file, if one of the files has become shorter since it
  /// was opened or could not be read.
  absl::Status checkWhole() const;

 private:
  /// The location of a tensor: indices into `files` and into its tensors.
  struct Location {
    size_t file, tensor;
  };

  TensorFiles() = default;
  static absl::StatusOr<TensorFiles> openIndex(const std::string& path);

  std::vector<SafetensorsReader> files;
  std::vector<TensorInfo> infos;
  std::vector<Location> locations;  // by tensor
  Metadata fileMetadata;
};

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_TENSORFILES_H_
