#include "passes/schedule/Deadlock.h"

#include <algorithm>
#include <limits>

namespace sbp::schedule {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

/// Of each worker the first task that cannot be run before some task, given so
/// many waits between; and on which worker stands what it waits for.
struct Reach {
  std::vector<int64_t> firsts, from;
};

class Search {
 public:
  explicit Search(const Dependencies& dependencies)
      : dependencies_(dependencies),
        numWorkers_(dependencies.table().numWorkers()),
        jumps_(dependencies.numTasks() * numWorkers_, kNever) {
    for (int64_t task = 0; task < dependencies.numTasks(); ++task)
      for (int64_t before : dependencies.before(task)) {
        int64_t& jump = jumpOf(before, dependencies.workerOf(task));
        jump = std::min(jump, task);
      }
    // What waits for a later task of a worker waits for the earlier ones too.
    for (int64_t task = dependencies.numTasks() - 1; task > 0; --task)
      if (const int64_t previous = dependencies.previous(task); previous >= 0)
        for (int64_t worker = 0; worker < numWorkers_; ++worker)
          jumpOf(previous, worker) =
              std::min(jumpOf(previous, worker), jumpOf(task, worker));
  }

  /// After so many waits, at most `most`, what waits for `start` stands before
  /// or at it; 0 if it does not.
  int64_t lengthFrom(int64_t start, int64_t most) const {
    const int64_t worker = dependencies_.workerOf(start);
    Reach reach = from(start);
    for (int64_t length = 1; length <= most; ++length) {
      Reach next = length == 1 ? reach : step(reach);
      if (next.firsts[worker] <= start) return length;
      if (length > 1 && next.firsts == reach.firsts) return 0;
      reach = std::move(next);
    }
    return 0;
  }

  std::vector<Wait> circleFrom(int64_t start, int64_t length) const {
    std::vector<Reach> reaches = {from(start)};
    for (int64_t i = 1; i < length; ++i)
      reaches.push_back(step(reaches.back()));
    std::vector<Wait> circle;
    int64_t worker = dependencies_.workerOf(start);
    int64_t waiting = reaches.back().firsts[worker];
    circle.push_back({start, waiting});
    for (int64_t i = length - 1; i > 0; --i) {
      const int64_t from = reaches[i].from[worker];
      const int64_t held = waitsFor(waiting, from, reaches[i - 1].firsts[from]);
      worker = from;
      waiting = reaches[i - 1].firsts[worker];
      circle.push_back({held, waiting});
    }
    circle[0].held = waitsFor(waiting, dependencies_.workerOf(start), start);
    return circle;
  }

 private:
  int64_t& jumpOf(int64_t task, int64_t worker) {
    return jumps_[task * numWorkers_ + worker];
  }
  int64_t jumpOf(int64_t task, int64_t worker) const {
    return jumps_[task * numWorkers_ + worker];
  }

  /// What `start` is waited for by directly.
  Reach from(int64_t start) const {
    Reach reach;
    for (int64_t worker = 0; worker < numWorkers_; ++worker)
      reach.firsts.push_back(jumpOf(start, worker));
    reach.from.assign(numWorkers_, dependencies_.workerOf(start));
    return reach;
  }

  Reach step(const Reach& reach) const {
    Reach next = reach;
    for (int64_t from = 0; from < numWorkers_; ++from) {
      if (reach.firsts[from] == kNever) continue;
      for (int64_t to = 0; to < numWorkers_; ++to) {
        const int64_t jump = jumpOf(reach.firsts[from], to);
        if (jump >= next.firsts[to]) continue;
        next.firsts[to] = jump;
        next.from[to] = from;
      }
    }
    return next;
  }

  /// The first task of `worker`, from number `least` on, that `task` waits for.
  int64_t waitsFor(int64_t task, int64_t worker, int64_t least) const {
    for (int64_t before : dependencies_.before(task))
      if (dependencies_.workerOf(before) == worker && before >= least)
        return before;
    return least;
  }

  const Dependencies& dependencies_;
  int64_t numWorkers_;
  std::vector<int64_t> jumps_;
};

}  // namespace

std::vector<Wait> shortestCircle(const Dependencies& dependencies) {
  const std::vector<int64_t> order = executionOrder(dependencies);
  if (static_cast<int64_t>(order.size()) == dependencies.numTasks()) return {};
  std::vector<bool> canRun(dependencies.numTasks(), false);
  for (int64_t task : order) canRun[task] = true;
  const Search search(dependencies);
  int64_t best = dependencies.table().numWorkers() + 1, start = 0;
  for (int64_t task = 0; task < dependencies.numTasks() && best > 1; ++task) {
    if (canRun[task]) continue;
    if (const int64_t length = search.lengthFrom(task, best - 1); length > 0) {
      best = length;
      start = task;
    }
  }
  return search.circleFrom(start, best);
}

}  // namespace sbp::schedule
