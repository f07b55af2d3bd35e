#include "runtime/data/Fingerprint.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/status/Status.h"

namespace sbp::data {
namespace {

constexpr size_t kHashBytes = 16;

/// A file from which blocks are read. The file is not mapped, because on access
/// to one page the system would read megabytes around the page.
class Reader {
 public:
  static absl::StatusOr<Reader> open(const std::string& path) {
    // O_NONBLOCK: opening a pipe without a writer would block. Pipes are
    // refused below.
    Reader reader(path,
                  ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status;
    if (reader.fd < 0 || fstat(reader.fd, &status) != 0)
      return reader.failure(std::strerror(errno));
    if (!S_ISREG(status.st_mode))
      return reader.failure("it is no regular file");
    reader.fileBytes = status.st_size;
    return reader;
  }

  Reader(Reader&& other) noexcept
      : path(std::move(other.path)),
        fd(std::exchange(other.fd, -1)),
        fileBytes(other.fileBytes) {}
  Reader& operator=(Reader&&) = delete;
  ~Reader() {
    if (fd >= 0) close(fd);
  }

  int64_t size() const { return fileBytes; }

  /// Fills `block` with the bytes from `begin` on. Fails if the file is
  /// shorter.
  absl::Status read(int64_t begin, std::vector<unsigned char>& block) const {
    for (size_t done = 0; done < block.size();) {
      const ssize_t count = pread(fd, block.data() + done, block.size() - done,
                                  begin + int64_t(done));
      if (count == 0) return failure("it became shorter meanwhile");
      if (count < 0 && errno != EINTR) return failure(std::strerror(errno));
      if (count > 0) done += count;
    }
    return absl::OkStatus();
  }

 private:
  Reader(std::string path, int fd) : path(std::move(path)), fd(fd) {}

  absl::Status failure(const char* cause) const {
    return error("cannot read {}: {}", path, cause);
  }

  std::string path;
  int fd;
  int64_t fileBytes = 0;
};

/// Returns where block `index` begins in a file of more than kWholeBytes. The
/// first block begins at the first byte of the file, and the last ends at its
/// last byte. Does not multiply the length, which could overflow.
int64_t blockBegin(int64_t index, int64_t fileBytes) {
  const int64_t last = fileBytes - kBlockBytes;
  const int64_t numGaps = kNumBlocks - 1;
  return last / numGaps * index + last % numGaps * index / numGaps;
}

}  // namespace

absl::StatusOr<std::string> fingerprint(const std::string& path) {
  SBP_ASSIGN_OR_RETURN(const Reader file, Reader::open(path));
  if (sodium_init() < 0) return error("libsodium cannot be used here");
  crypto_generichash_state state;
  crypto_generichash_init(&state, /*key=*/nullptr, /*keylen=*/0, kHashBytes);
  const bool isWhole = file.size() <= kWholeBytes;
  const int64_t numBlocks =
      isWhole ? (file.size() + kBlockBytes - 1) / kBlockBytes : kNumBlocks;
  std::vector<unsigned char> block;
  for (int64_t i = 0; i < numBlocks; ++i) {
    const int64_t begin =
        isWhole ? i * kBlockBytes : blockBegin(i, file.size());
    block.resize(std::min(file.size() - begin, kBlockBytes));
    SBP_RETURN_IF_ERROR(file.read(begin, block));
    crypto_generichash_update(&state, block.data(), block.size());
  }
  std::array<unsigned char, kHashBytes> hash;
  crypto_generichash_final(&state, hash.data(), hash.size());
  return fmt::format("{}-{:02x}", file.size(), fmt::join(hash, ""));
}

absl::StatusOr<std::string> Fingerprints::of(const std::string& path) {
  std::string& fingerprint = known[path];
  if (fingerprint.empty()) {
    SBP_ASSIGN_OR_RETURN(fingerprint, data::fingerprint(path));
  }
  return fingerprint;
}

}  // namespace sbp::data
