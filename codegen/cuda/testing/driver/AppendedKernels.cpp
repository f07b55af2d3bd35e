#include "codegen/cuda/testing/driver/AppendedKernels.h"

#include <cstdint>
#include <cstring>
#include <fstream>

#include "fmt/format.h"

namespace sbp::cuda::driver {
namespace {

/// The last bytes of a file with kernels.
struct Trailer {
  uint64_t bytes = 0;
  char magic[8] = {'s', 'b', 'p', '-', 'i', 'r', '\n', '\0'};
};

}  // namespace

absl::Status appendKernels(const std::string& program, const std::string& ir) {
  std::ofstream file(program, std::ios::binary | std::ios::app);
  Trailer trailer;
  trailer.bytes = ir.size();
  file << ir;
  file.write(reinterpret_cast<const char*>(&trailer), sizeof trailer);
  file.close();
  return file ? absl::OkStatus()
              : absl::InternalError(fmt::format("cannot write {}", program));
}

absl::StatusOr<std::string> appendedKernels(const std::string& program) {
  std::ifstream file(program, std::ios::binary | std::ios::ate);
  const int64_t size = file.tellg();
  Trailer trailer;
  const Trailer wanted;
  const auto readAt = [&](int64_t offset, char* to, int64_t bytes) {
    file.seekg(offset);
    file.read(to, bytes);
  };
  const int64_t end = size - static_cast<int64_t>(sizeof trailer);
  if (end >= 0) readAt(end, reinterpret_cast<char*>(&trailer), sizeof trailer);
  if (!file || std::memcmp(trailer.magic, wanted.magic, sizeof wanted.magic) ||
      static_cast<int64_t>(trailer.bytes) > end)
    return absl::NotFoundError(
        fmt::format("{} has no kernels appended for a test", program));
  std::string ir(trailer.bytes, '\0');
  readAt(end - static_cast<int64_t>(trailer.bytes), ir.data(),
         static_cast<int64_t>(trailer.bytes));
  return ir;
}

}  // namespace sbp::cuda::driver
