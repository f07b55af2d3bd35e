// List scheduling of any stages on any workers: simulates a step, in which a
// free worker starts its most urgent task.

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "passes/schedule/families/Generators.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

constexpr int64_t kForwardTime = 1, kBackwardTime = 2;

/// The progress of a stage. A stage runs micro-batches in order. So the numbers
/// of tasks that are ready and that have begun say which micro-batches these
/// are.
struct StageQueue {
  int64_t forwardsHere = 0, forwardsBegun = 0;
  int64_t backwardsHere = 0, backwardsBegun = 0;
};

class ListScheduling {
 public:
  ListScheduling(const std::vector<int64_t>& workerOfStage, int64_t numWorkers,
                 int64_t numMicroBatches)
      : workerOfStage_(workerOfStage),
        stagesOf_(numWorkers),
        queues_(workerOfStage.size()),
        isBusy_(numWorkers) {
    for (size_t stage = 0; stage < workerOfStage.size(); ++stage)
      stagesOf_[workerOfStage[stage]].push_back(stage);
    queues_.front().forwardsHere = numMicroBatches;
    table_.numStages = static_cast<int64_t>(workerOfStage.size());
    table_.numMicroBatches = numMicroBatches;
    table_.workers.resize(numWorkers);
  }

  Table run() {
    begin(workerOfStage_.front());
    while (!running_.empty()) {
      now_ = running_.top().end;
      // End all tasks that end now before any task begins, since a task may
      // wait for several of them.
      std::vector<int64_t> woken;
      for (; !running_.empty() && running_.top().end == now_; running_.pop())
        end(running_.top().worker, woken);
      for (int64_t worker : woken) begin(worker);
    }
    return std::move(table_);
  }

 private:
  struct Running {
    int64_t end = 0, worker = 0;

    bool operator>(const Running& other) const { return end > other.end; }
  };

  /// Ends the last task of `worker` and makes tasks that wait for it ready.
  /// Adds the workers that may have a task to begin to `woken`.
  void end(int64_t worker, std::vector<int64_t>& woken) {
    const Task& task = table_.workers[worker].back();
    isBusy_[worker] = false;
    woken.push_back(worker);
    if (task.kind == Kind::Forward && task.stage + 1 < table_.numStages) {
      ++queues_[task.stage + 1].forwardsHere;
      woken.push_back(workerOfStage_[task.stage + 1]);
    } else if (task.kind == Kind::Forward) {
      ++queues_[task.stage].backwardsHere;
    } else if (task.stage > 0) {
      ++queues_[task.stage - 1].backwardsHere;
      woken.push_back(workerOfStage_[task.stage - 1]);
    }
  }

  /// Returns the next task of `stage`; nullopt if no task of the stage can
  /// begin yet.
  std::optional<Task> nextOf(int64_t stage) const {
    const StageQueue& queue = queues_[stage];
    if (queue.backwardsBegun < queue.backwardsHere)
      return Task{Kind::Backward, stage, queue.backwardsBegun};
    const int64_t inFlight = queue.forwardsBegun - queue.backwardsBegun;
    if (queue.forwardsBegun < queue.forwardsHere &&
        inFlight < table_.numStages - stage)
      return Task{Kind::Forward, stage, queue.forwardsBegun};
    return std::nullopt;
  }

  /// Whether `a` is more urgent than `b`. Backwards come first, then earlier
  /// micro-batches, then later stages.
  static bool goesBefore(const Task& a, const Task& b) {
    if (a.kind != b.kind) return a.kind == Kind::Backward;
    if (a.first != b.first) return a.first < b.first;
    return a.stage > b.stage;
  }

  /// Starts the most urgent task of `worker`, if the worker is free and has a
  /// task.
  void begin(int64_t worker) {
    if (isBusy_[worker]) return;
    std::optional<Task> best;
    for (int64_t stage : stagesOf_[worker])
      if (std::optional<Task> next = nextOf(stage);
          next && (!best || goesBefore(*next, *best)))
        best = next;
    if (!best) return;
    StageQueue& queue = queues_[best->stage];
    const bool isForward = best->kind == Kind::Forward;
    ++(isForward ? queue.forwardsBegun : queue.backwardsBegun);
    isBusy_[worker] = true;
    running_.push({now_ + (isForward ? kForwardTime : kBackwardTime), worker});
    table_.workers[worker].push_back(*best);
  }

  const std::vector<int64_t>& workerOfStage_;
  std::vector<std::vector<int64_t>> stagesOf_;  // by worker
  std::vector<StageQueue> queues_;              // by stage
  std::vector<bool> isBusy_;                    // by worker
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
  int64_t now_ = 0;
  Table table_;
};

}  // namespace

absl::StatusOr<Table> makeList(const Shape& shape) {
  std::vector<int64_t> workers = shape.workerOfStage;
  if (workers.empty()) {
    workers.resize(shape.depth);
    std::iota(workers.begin(), workers.end(), 0);
  }
  for (size_t stage = 0; stage < workers.size(); ++stage)
    if (workers[stage] < 0 || workers[stage] >= shape.depth)
      return error("stage {} is on worker {}, but there are {} workers", stage,
                   workers[stage], shape.depth);
  return ListScheduling(workers, shape.depth, shape.microBatches).run();
}

}  // namespace sbp::schedule
