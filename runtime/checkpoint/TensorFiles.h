// The files that --load names: one safetensors file, or an index of several,
// which hold the tensors of one model together.
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

class TensorFiles {
 public:
  /// Opens a file, an index if its name ends in ".json", with all files that it
  /// names, which lie in its folder. Fails where SafetensorsReader::open does,
  /// on an index that is none, and on one that places a tensor in a file which
  /// has it not.
  static absl::StatusOr<TensorFiles> open(const std::string& path);

  /// The files that are opened for `path`, itself first. Fails on an index that
  /// is none.
  static absl::StatusOr<std::vector<std::string>> filesOf(
      const std::string& path);

  const std::vector<TensorInfo>& tensors() const { return infos; }

  /// The metadata of a file; an index has none.
  const Metadata& metadata() const { return fileMetadata; }

  /// The elements of tensors()[index], dense and row-major.
  const std::byte* elements(size_t index) const {
    return files[places[index].file].elements(places[index].tensor);
  }

  /// Fails, naming it, if a file has become shorter.
  absl::Status checkWhole() const;

 private:
  struct Place {
    size_t file, tensor;
  };

  TensorFiles() = default;
  static absl::StatusOr<TensorFiles> openIndex(const std::string& path);

  std::vector<SafetensorsReader> files;
  std::vector<TensorInfo> infos;
  std::vector<Place> places;  // of each tensor
  Metadata fileMetadata;
};

}  // namespace sbp::checkpoint

#endif  // RUNTIME_CHECKPOINT_TENSORFILES_H_
