// Tensors in NumPy's file format, .npy.
//
//   "\x93NUMPY" major minor   length of the header, 2 (v1) or 4 bytes
//   {'descr': '<f4', 'fortran_order': False, 'shape': (60000, 784), }
//   the elements, row-major
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

namespace sbp::data {

/// What the header says.
struct NpyHeader {
  plan::ElementType elementType = plan::ElementType::kF32;
  std::vector<int64_t> shape;
  int64_t dataOffset = 0;  // bytes from the start of the file
};

/// Reads the header of a file whose content is `bytes`; fails if it is no .npy
/// file, holds elements other than <f4, <i4, <i8 or |b1, is not row-major, or
/// is shorter or longer than its shape says.
absl::StatusOr<NpyHeader> parseNpyHeader(std::string_view bytes);

/// A .npy file, mapped: elements are read where they are touched.
class NpyFile {
 public:
  /// Fails as MappedFile::open and parseNpyHeader do, naming the file.
  static absl::StatusOr<NpyFile> open(const std::string& path);

  plan::ElementType elementType() const { return header.elementType; }
  const std::vector<int64_t>& shape() const { return header.shape; }
  const std::byte* elements() const {
    return reinterpret_cast<const std::byte*>(file.bytes().data()) +
           header.dataOffset;
  }

 private:
  NpyFile(file::MappedFile file, NpyHeader header)
      : file(std::move(file)), header(std::move(header)) {}

  file::MappedFile file;
  NpyHeader header;
};

/// Writes `tensor` to `path`, whole or not at all; bf16, which such files do
/// not have, as f32.
absl::Status writeNpy(const std::string& path, const tensor::HostTensor& given);

}  // namespace sbp::data

#endif  // RUNTIME_DATA_NPY_H_
