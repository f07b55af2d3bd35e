#include "passes/schedule/Delays.h"

#include <algorithm>
#include <optional>

#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

/// A forward, and the age in updates of the weights that it reads.
struct Read {
  Task forward;
  int64_t delay = 0;
};

/// Counts updates along the lists of a table. The table is unrolled until a
/// step is like the step before it.
class Delays {
 public:
  explicit Delays(const Table& table)
      : table_(table),
        numSteps_(numOverlappedSteps(table) + table.delay + 2),
        first_(table.numStages),
        workers_(table.numStages, -1) {}

  absl::StatusOr<std::vector<int64_t>> find() {
    const Table all = unrolled(table_, numSteps_);
    for (int64_t worker = 0; worker < all.numWorkers(); ++worker) {
      std::vector<int64_t> numUpdates(table_.numStages, 0);
      for (const Task& task : all.workers[worker]) {
        if (task.kind == Kind::Update) ++numUpdates[task.stage];
        if (task.kind == Kind::Forward)
          SBP_RETURN_IF_ERROR(note(worker, task, numUpdates[task.stage]));
      }
    }
    std::vector<int64_t> delays;
    for (const std::optional<Read>& read : first_)
      delays.push_back(read ? read->delay : 0);
    return delays;
  }

 private:
  absl::Status note(int64_t worker, const Task& forward, int64_t numUpdates) {
    int64_t& home = workers_[forward.stage];
    if (home >= 0 && home != worker)
      return error(
          "has stage {} on workers {} and {}; without a flush a stage is on "
          "one",
          forward.stage, home, worker);
    home = worker;
    const int64_t step = forward.first / table_.numParts();
    if (step != numSteps_ - 1) return absl::OkStatus();
    Task own = forward;
    own.first -= step * table_.numParts();
    const Read read = {own, step - std::min(numUpdates, step - table_.delay)};
    std::optional<Read>& first = first_[own.stage];
    if (!first) first = read;
    if (first->delay == read.delay) return absl::OkStatus();
    return error(
        "has forwards of stage {} of one step that read weights of several "
        "ages: {} those {} steps old, {} those {} steps old; all of a step are "
        "to read the same, as with {}U+{}",
        own.stage, describeParts(table_, first->forward.first, 1), first->delay,
        describeParts(table_, own.first, 1), read.delay, own.stage,
        std::max(first->delay, read.delay));
  }

  const Table& table_;
  int64_t numSteps_;
  std::vector<std::optional<Read>> first_;  // of the last step, by stage
  std::vector<int64_t> workers_;            // by stage
};

}  // namespace

bool isAsynchronous(const Table& table) {
  return numOverlappedSteps(table) > 0 || table.delay > 0;
}

absl::StatusOr<std::vector<int64_t>> delaysOf(const Table& table) {
  if (!isAsynchronous(table)) return std::vector<int64_t>(table.numStages, 0);
  return Delays(table).find();
}

}  // namespace sbp::schedule
