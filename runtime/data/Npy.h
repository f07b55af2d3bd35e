// Tensors in NumPy's file format, .npy:
//
//   "\x93NUMPY" major minor   length of the header, 2 (v1) or 4 bytes
//   {'descr': '<f4', 'fortran_order': False, 'shape': (60000, 784), }
//   the elements, row-major, or in Fortran order
//
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

#ifndef RUNTIME_DATA_NPY_H_
#define RUNTIME_DATA_NPY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/file/MappedFile.h"
#include "runtime/file/OutputFile.h"
#include "runtime/plan/Plan.h"
#include "runtime/tensor/HostTensor.h"
#include "runtime/tensor/StoredType.h"

namespace sbp::data {

/// The contents of a header.
struct NpyHeader {
  tensor::StoredType type = tensor::StoredType::kF32;
  bool isFortranOrder = false;
  std::vector<int64_t> shape;
  int64_t dataOffset = 0;  // bytes from the start of the file
};

/// Whether `bytes`, the content of a file, begins with the "\x93NUMPY" of .npy
/// files.
bool isNpy(std::string_view bytes);

/// Reads the header of a file with content `bytes`. Fails if this is not a .npy
/// file of version 1, 2 or 3, or is shorter or longer than its shape requires.
/// Accepts booleans, integers of 8 to 64 bits and floating-point numbers of 16
/// to 64 bits, all little-endian; fails for other elements.
absl::StatusOr<NpyHeader> parseNpyHeader(std::string_view bytes);

/// A mapped .npy file: elements are read from disk when they are accessed.
class NpyFile {
 public:
  /// Opens a file. Fails, naming the file, if MappedFile::open or
  /// parseNpyHeader fails.
  static absl::StatusOr<NpyFile> open(const std::string& path);

  tensor::StoredType type() const { return header.type; }
  bool isFortranOrder() const { return header.isFortranOrder; }
  const std::vector<int64_t>& shape() const { return header.shape; }
  /// Returns the elements, row-major unless isFortranOrder(). They may be
  /// unaligned.
  const std::byte* elements() const {
    return reinterpret_cast<const std::byte*>(file.bytes().data()) +
           header.dataOffset;
  }

  /// Fails, naming the file, if it has become shorter since it was opened or
  /// could not be read.
  absl::Status checkWhole() const { return file.checkWhole(); }

 private:
  NpyFile(file::MappedFile file, NpyHeader header)
      : file(std::move(file)), header(std::move(header)) {}

  file::MappedFile file;
  NpyHeader header;
};

/// Writes `given` to `path`, row-major. The file appears only when it is
/// complete (file/OutputFile.h). The format has no bf16, so numbers in bf16 are
/// written as f32.
absl::Status writeNpy(const std::string& path, const tensor::HostTensor& given);

}  // namespace sbp::data

#endif  // RUNTIME_DATA_NPY_H_
