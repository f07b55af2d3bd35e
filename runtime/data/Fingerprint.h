// Fingerprints: short texts that identify files by content.
//
//   fingerprint("book.txt")  ->  "1115394-3b7e1c0a9d5f4e62b1f07a8c55d90e14"
//
// A fingerprint is the length of the file in bytes and a hash of its content
// (BLAKE2b, 128 bits). It does not depend on name, path or times: a copy on
// another host has the same fingerprint.
//
// A file of up to kWholeBytes is hashed whole. A longer file, which might take
// hours to read, is sampled: kNumBlocks blocks at equal distances, the first at
// its beginning and the last at its end, are hashed. If the blocks are in the
// system's cache, this takes some hundredths of a second for a file of any
// size. The fingerprint stays the same if a file changes only between the
// blocks and keeps its length. A change of contiguous bytes is certain to
// change the fingerprint only if it is longer than the gap between two blocks,
// which is about length / kNumBlocks.

#ifndef RUNTIME_DATA_FINGERPRINT_H_
#define RUNTIME_DATA_FINGERPRINT_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace sbp::data {

/// Largest file in bytes that is hashed whole. With a larger limit, fewer files
/// are sampled, but programs start later: hashing this many bytes takes a
/// quarter of a second on one core (0.8 GB/s).
inline constexpr int64_t kWholeBytes = int64_t{192} << 20;

/// Number of blocks of a sampled file. More blocks leave shorter gaps, but each
/// may cost a disk seek.
inline constexpr int64_t kNumBlocks = 256;

/// Size of a block in bytes. Larger blocks cover more of a file but take
/// longer: the blocks of a file are hashed in about 20 ms.
inline constexpr int64_t kBlockBytes = int64_t{64} << 10;

/// Returns the fingerprint of the file at `path`: a decimal number, "-", and 32
/// hexadecimal digits. Fails, naming the file and the cause, if it cannot be
/// read or is not a regular file.
absl::StatusOr<std::string> fingerprint(const std::string& path);

/// A cache of fingerprints: each file is read only once. An object belongs to
/// one thread.
class Fingerprints {
 public:
  /// Returns fingerprint(path), from the cache if it is known.
  absl::StatusOr<std::string> of(const std::string& path);

 private:
  std::map<std::string, std::string> known;  // by path
};

}  // namespace sbp::data

#endif  // RUNTIME_DATA_FINGERPRINT_H_
