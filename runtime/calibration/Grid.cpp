#include "runtime/calibration/Grid.h"

#include <numeric>
#include <utility>

#include "fmt/format.h"

namespace sbp::calibration {
namespace {

/// Returns the prime factors of `count`, ascending, with repeats.
std::vector<int64_t> primesOf(int64_t count) {
  std::vector<int64_t> primes;
  for (int64_t prime = 2; prime * prime <= count; ++prime) {
    for (; count % prime == 0; count /= prime) primes.push_back(prime);
  }
  if (count > 1) primes.push_back(count);
  return primes;
}

/// Adds a level of `count` parts to `grid`, with a mesh axis per prime factor
/// and a group per suffix of these axes. Adds nothing if `count` is 1.
void addLevel(const std::string& name, int64_t count, Grid& grid) {
  if (count == 1) return;
  Level level{name, count, {}};
  for (int64_t prime : primesOf(count)) {
    grid.mesh.push_back({fmt::format("{}{}", name, grid.mesh.size()), prime});
  }
  GroupSize group;
  for (int64_t axis = grid.mesh.size() - 1; group.members < count; --axis) {
    group.members *= grid.mesh[axis].size;
    group.axes.insert(group.axes.begin(), axis);
    level.groups.push_back(group);
  }
  grid.levels.push_back(std::move(level));
}

}  // namespace

Grid makeGrid(const std::vector<LevelExtent>& levels) {
  Grid grid;
  for (const LevelExtent& level : levels) {
    addLevel(level.name, level.count, grid);
    grid.everyone.members *= level.count;
  }
  grid.everyone.axes.resize(grid.mesh.size());
  std::iota(grid.everyone.axes.begin(), grid.everyone.axes.end(), 0);
  return grid;
}

}  // namespace sbp::calibration
