#include "runtime/watchdog/ThreadControl.h"

namespace sbp::watchdog {

absl::StatusOr<std::vector<std::string>> ThreadControl::allGather(
    std::string_view text) {
  std::unique_lock<std::mutex> lock(world->mutex);
  const uint64_t mine = world->numGathers;
  world->contributions[rank] = std::string(text);
  ++world->numContributed;
  if (world->numContributed ==
      static_cast<int64_t>(world->contributions.size())) {
    world->gathered = world->contributions;
    world->numContributed = 0;
    ++world->numGathers;
    world->changed.notify_all();
  }
  world->changed.wait(
      lock, [&] { return world->numGathers > mine || world->flag.isRaised(); });
  if (world->numGathers == mine) return world->flag.status();
  // The next all-gather cannot complete before this rank has copied the result,
  // because it needs a contribution of this rank.
  return world->gathered;
}

void ThreadControl::fail(const std::string& reason) {
  std::lock_guard<std::mutex> lock(world->mutex);
  world->flag.raise(describe(rank) + " failed: " + reason);
  world->changed.notify_all();
}

}  // namespace sbp::watchdog
