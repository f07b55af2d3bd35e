#include "passes/search/chain/Paid.h"

#include <algorithm>
#include <tuple>

namespace sbp::search {

void keepUnbeaten(Front& front) {
  std::sort(front.begin(), front.end(),
            [](const TimeAndBytes& a, const TimeAndBytes& b) {
              return std::tie(a.ticks, a.bytes) < std::tie(b.ticks, b.bytes);
            });
  size_t kept = 0;
  for (const TimeAndBytes& cost : front)
    if (kept == 0 || cost.bytes < front[kept - 1].bytes) front[kept++] = cost;
  front.resize(kept);
}

Front laterWithin(Ticks most, double bytePrice, const Front& paid,
                  Ticks ticks) {
  Front later;
  for (const TimeAndBytes& cost : paid)
    if (cost.ticks + ticks + bytePrice * cost.bytes <= most)
      later.push_back({cost.ticks + ticks, cost.bytes});
  return later;
}

bool lowerTo(const Front& other, Front& paid) {
  size_t before = paid.size();
  for (const TimeAndBytes& cost : other) {
    bool isBeaten = std::any_of(
        paid.begin(), paid.begin() + before, [&](const TimeAndBytes& known) {
          return known.ticks <= cost.ticks && known.bytes <= cost.bytes;
        });
    if (!isBeaten) paid.push_back(cost);
  }
  if (paid.size() == before) return false;
  keepUnbeaten(paid);
  return true;
}

Front afterRun(const OpTable& table, Layout result, const Front& paid) {
  Front after;
  for (const OpTable::Way& way : table.ways) {
    if (way.ticks[result] == kNever) continue;
    double bytes = way.bytes.empty() ? 0 : way.bytes[result];
    for (const TimeAndBytes& cost : paid)
      after.push_back({cost.ticks + way.ticks[result], cost.bytes + bytes});
  }
  keepUnbeaten(after);
  return after;
}

}  // namespace sbp::search
