#include "passes/search/layout/PinConflict.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace sbp::search {
namespace {

/// Fewest bytes over all states of a table, and those of one state; kNever if
/// there is none.
struct Bytes {
  double fewest = kNever, pinned = kNever;
};

Bytes bytesOf(const OpTable& table, Layout own) {
  Bytes bytes;
  for (const OpTable::Way& way : table.ways)
    for (size_t i = 0; i < way.ticks.size(); ++i) {
      if (way.ticks[i] == kNever) continue;
      bytes.fewest = std::min(bytes.fewest, way.bytes[i]);
      if (static_cast<Layout>(i) == own)
        bytes.pinned = std::min(bytes.pinned, way.bytes[i]);
    }
  return bytes;
}

}  // namespace

std::optional<PinConflict> conflictOf(const PricedChain& counted,
                                      const std::vector<Pin>& pins,
                                      double fewestBytes, double limitBytes) {
  struct Added {
    size_t pin = 0;
    double bytes = 0;
  };
  std::vector<Added> added;
  std::map<std::pair<int64_t, int64_t>, size_t> byOp;
  for (size_t i = 0; i < pins.size(); ++i) {
    const Pin& pin = pins[i];
    auto [first, isNew] = byOp.try_emplace({pin.position, pin.op}, i);
    if (!isNew) {
      if (pins[first->second].result == pin.result) continue;
      return PinConflict{{first->second, i}, kNever};
    }
    int64_t block = counted.blockAt(pin.position);
    const Terrain& terrain = counted.terrain();
    bool leavesTerms =
        terrain.leavesTerms(counted.chain().blocks[block].ops[pin.op]);
    Bytes bytes =
        bytesOf(counted.blockTables(block)[pin.op],
                leavesTerms ? pin.result : terrain.settledOf(pin.result));
    if (bytes.pinned == kNever) return PinConflict{{i}, kNever};
    added.push_back({i, bytes.pinned - bytes.fewest});
  }
  std::sort(added.begin(), added.end(), [](const Added& a, const Added& b) {
    return std::tie(b.bytes, a.pin) < std::tie(a.bytes, b.pin);
  });
  PinConflict conflict;
  conflict.fewestBytes = fewestBytes;
  for (const Added& pin : added) {
    if (conflict.fewestBytes > limitBytes) break;
    conflict.pins.push_back(pin.pin);
    conflict.fewestBytes += pin.bytes;
  }
  if (!(conflict.fewestBytes > limitBytes)) return std::nullopt;
  std::sort(conflict.pins.begin(), conflict.pins.end());
  return conflict;
}

}  // namespace sbp::search
