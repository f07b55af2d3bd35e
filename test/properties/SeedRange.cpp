#include "test/properties/SeedRange.h"

#include <algorithm>
#include <cstdlib>

#include "llvm/Support/raw_ostream.h"

namespace sbp::properties {

std::vector<SeedRange> SeedRange::pieces(uint64_t size) const {
  std::vector<SeedRange> pieces;
  for (uint64_t first = begin; first < end; first += size)
    pieces.push_back({first, std::min(end, first + size)});
  return pieces;
}

std::optional<SeedRange> parseSeedRange(llvm::StringRef text) {
  auto [begin, end] = text.split("..");
  SeedRange range;
  if (begin.getAsInteger(10, range.begin) || end.getAsInteger(10, range.end) ||
      range.begin >= range.end)
    return std::nullopt;
  return range;
}

SeedRange seedsFrom(int argc, char** argv, SeedRange otherwise) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (!argument.consume_front("--seeds=")) continue;
    if (auto range = parseSeedRange(argument)) return *range;
    llvm::errs() << "--seeds takes BEGIN..END, END the larger, not '"
                 << argument << "'\n";
    std::exit(1);
  }
  return otherwise;
}

}  // namespace sbp::properties
