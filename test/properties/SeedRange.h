// The seeds that a test is run with: `--seeds=BEGIN..END` on its command line,
// END exclusive, or what the test says.

#ifndef TEST_PROPERTIES_SEEDRANGE_H_
#define TEST_PROPERTIES_SEEDRANGE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace sbp::properties {

struct SeedRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  /// Pieces of at most `size` seeds: what one test case is given, so that cases
  /// can run in several shards.
  std::vector<SeedRange> pieces(uint64_t size) const;
};

/// The range of a text "7..100"; nothing when it is not one.
std::optional<SeedRange> parseSeedRange(llvm::StringRef text);

/// The range of an argument `--seeds=7..100`, or `otherwise`. Ends the program,
/// after a message, when the argument cannot be read.
SeedRange seedsFrom(int argc, char** argv, SeedRange otherwise);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_SEEDRANGE_H_
