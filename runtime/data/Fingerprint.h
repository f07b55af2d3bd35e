// Is this the same data? A short text that tells files apart by what they hold.
//
//   fingerprint("book.txt")  ->  "1115394-3b7e1c0a9d5f4e62b1f07a8c55d90e14"
//
// It is the length of the file in bytes, and a hash of its content (BLAKE2b,
// 128 bits). Name, place and times of the file take no part: a copy on another
// host has the same fingerprint.
//
// A file of up to kWholeBytes is hashed whole. A longer one, whose reading
// might take hours, is sampled: kNumBlocks blocks are hashed, which lie evenly
// over it from its first byte to its last. That costs some hundredths of a
// second whatever the size, and does not see a change of a long file that keeps
// the length and lies between the blocks: a change of one stretch is seen for
// certain only if it is longer than what lies between two blocks, the length of
// the file / kNumBlocks.

#ifndef RUNTIME_DATA_FINGERPRINT_H_
#define RUNTIME_DATA_FINGERPRINT_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace sbp::data {

/// More leaves fewer files that are only sampled, and a program starts later:
/// so many bytes are hashed in a quarter of a second, by one core (0.8 GB/s).
inline constexpr int64_t kWholeBytes = int64_t{192} << 20;

/// More blocks leave shorter gaps, but each may be a seek of a disk.
inline constexpr int64_t kNumBlocks = 256;

/// Larger blocks see more of a long file, and take longer: those of one are
/// hashed in some 20 ms.
inline constexpr int64_t kBlockBytes = int64_t{64} << 10;

/// The fingerprint of the file at `path`: a decimal number, "-", 32 hexadecimal
/// digits. Fails, naming the file and the cause, if it cannot be read or is no
/// regular file.
absl::StatusOr<std::string> fingerprint(const std::string& path);

/// Fingerprints of files, of which each is read once however often it is asked
/// for. For one thread.
class Fingerprints {
 public:
  absl::StatusOr<std::string> of(const std::string& path);

 private:
  std::map<std::string, std::string> known;  // by path
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_FINGERPRINT_H_
