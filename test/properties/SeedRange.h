// The seeds of a test: `--seeds=BEGIN..END` on its command line, where END is
// exclusive, or a default of the test.

#ifndef TEST_PROPERTIES_SEEDRANGE_H_
#define TEST_PROPERTIES_SEEDRANGE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace sbp::properties {

/// Seeds from `begin` to `end`, exclusive.
struct SeedRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  /// Returns the range in pieces of at most `size` seeds. Each is one test
  /// case, so that the cases can run in several shards.
  std::vector<SeedRange> pieces(uint64_t size) const;
};

/// Parses a range such as "7..100". Returns nullopt if `text` is no range, or
/// an empty one.
std::optional<SeedRange> parseSeedRange(llvm::StringRef text);

/// Returns the range of an argument `--seeds=7..100`, or `otherwise` if there
/// is none. Ends the process, after a message, if the argument is no range.
SeedRange seedsFrom(int argc, char** argv, SeedRange otherwise);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_SEEDRANGE_H_
