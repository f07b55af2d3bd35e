#include "codegen/plan/PlanBuffers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "llvm/Support/MathExtras.h"

namespace sbp {
namespace {

/// A buffer that has been placed.
struct Placed {
  int64_t begin = 0, end = 0;   // bytes
  int64_t first = 0, last = 0;  // tasks
};

/// Returns the beginning of the smallest gap of at least `bytes` bytes between
/// those buffers of `placed` that are live at some of the tasks [first, last];
/// if no gap is large enough, the end of the last of these buffers. `placed`
/// ascends by `begin`.
int64_t findGap(const std::vector<Placed>& placed, int64_t bytes, int64_t first,
                int64_t last) {
  int64_t best = -1;
  int64_t bestGap = std::numeric_limits<int64_t>::max();
  int64_t occupiedUntil = 0;
  for (const Placed& other : placed) {
    if (other.last < first || other.first > last) continue;
    int64_t gap = other.begin - occupiedUntil;
    if (gap >= bytes && gap < bestGap) {
      best = occupiedUntil;
      bestGap = gap;
    }
    occupiedUntil = std::max(occupiedUntil, other.end);
  }
  return best < 0 ? occupiedUntil : best;
}

/// Places the buffers one by one, in `order`.
BufferLayout placeInOrder(const std::vector<LiveBuffer>& buffers,
                          const std::vector<int64_t>& order,
                          int64_t alignment) {
  BufferLayout layout;
  layout.offsets.assign(buffers.size(), 0);
  std::vector<Placed> placed;
  placed.reserve(buffers.size());
  for (int64_t index : order) {
    const LiveBuffer& buffer = buffers[index];
    int64_t bytes = llvm::alignTo(buffer.bytes, alignment);
    if (bytes == 0) continue;
    int64_t begin = findGap(placed, bytes, buffer.first, buffer.last);
    Placed mine{begin, begin + bytes, buffer.first, buffer.last};
    auto position = std::upper_bound(
        placed.begin(), placed.end(), mine,
        [](const Placed& a, const Placed& b) { return a.begin < b.begin; });
    placed.insert(position, mine);
    layout.offsets[index] = begin;
    layout.bytes = std::max(layout.bytes, mine.end);
  }
  return layout;
}

/// Limits on the search of placeAndImprove: number of changes of an order, and
/// number of buffers that these place again.
constexpr int kMaxChanges = 60;
constexpr size_t kMaxPlaced = 30000;

/// Places the buffers in `order`; then moves the buffers that end above `least`
/// bytes to the front of the order and places all again, until the arena has
/// `least` bytes or a limit is reached. Returns the smallest arena.
BufferLayout placeAndImprove(const std::vector<LiveBuffer>& buffers,
                             std::vector<int64_t> order, int64_t least,
                             int64_t alignment) {
  BufferLayout best = placeInOrder(buffers, order, alignment);
  size_t numChanges =
      std::min<size_t>(kMaxChanges, kMaxPlaced / (buffers.size() + 1));
  BufferLayout last = best;
  for (size_t change = 0; change < numChanges && best.bytes > least; ++change) {
    std::vector<int64_t> fitting;
    std::vector<int64_t> changed;
    for (int64_t index : order) {
      int64_t bytes = llvm::alignTo(buffers[index].bytes, alignment);
      bool sticksOut = last.offsets[index] + bytes > least;
      (sticksOut ? changed : fitting).push_back(index);
    }
    changed.insert(changed.end(), fitting.begin(), fitting.end());
    order = std::move(changed);
    last = placeInOrder(buffers, order, alignment);
    if (last.bytes < best.bytes) best = last;
  }
  return best;
}

}  // namespace

BufferLayout planBuffers(const std::vector<LiveBuffer>& buffers,
                         int64_t alignment) {
  using Before = bool (*)(const LiveBuffer&, const LiveBuffer&);
  const Before orders[] = {
      [](const LiveBuffer& a, const LiveBuffer& b) {  // by size
        return std::tie(b.bytes, a.first) < std::tie(a.bytes, b.first);
      },
      [](const LiveBuffer& a, const LiveBuffer& b) {  // by first use
        return std::tie(a.first, b.bytes) < std::tie(b.first, a.bytes);
      },
      [](const LiveBuffer& a,
         const LiveBuffer& b) {  // by length of their live ranges
        return std::make_tuple(b.last - b.first, b.bytes) <
               std::make_tuple(a.last - a.first, a.bytes);
      },
  };
  int64_t least = busiestBytes(buffers, alignment);
  BufferLayout best;
  best.bytes = std::numeric_limits<int64_t>::max();
  for (Before isBefore : orders) {
    std::vector<int64_t> order(buffers.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      if (isBefore(buffers[a], buffers[b])) return true;
      if (isBefore(buffers[b], buffers[a])) return false;
      return a < b;
    });
    BufferLayout layout =
        placeAndImprove(buffers, std::move(order), least, alignment);
    if (layout.bytes < best.bytes) best = std::move(layout);
    if (best.bytes == least) break;
  }
  return best;
}

int64_t busiestBytes(const std::vector<LiveBuffer>& buffers,
                     int64_t alignment) {
  std::map<int64_t, int64_t> changes;  // of the live bytes, by task
  for (const LiveBuffer& buffer : buffers) {
    int64_t bytes = llvm::alignTo(buffer.bytes, alignment);
    changes[buffer.first] += bytes;
    changes[buffer.last + 1] -= bytes;
  }
  int64_t needed = 0, busiest = 0;
  for (auto [task, change] : changes) {
    needed += change;
    busiest = std::max(busiest, needed);
  }
  return busiest;
}

}  // namespace sbp
