#include "passes/schedule/Slots.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sbp::schedule {
namespace {

/// A number of parts, and the largest value that it has had.
struct PeakCounter {
  int64_t now = 0, most = 0;

  void add(int64_t parts) {
    now += parts;
    most = std::max(most, now);
  }
};

/// Returns enough steps of `table` to show the most that is held. Once the
/// tasks of the earliest overlapped step have run, the pipeline is full. The
/// next step is then like all later ones.
Table untilSteady(const Table& table) {
  return unrolled(table, 2 + numOverlappedSteps(table));
}

/// Whether a task of kind `kind` is the last task of its micro-batch that reads
/// weights.
bool endsWeights(Kind kind) {
  return kind == Kind::Backward || kind == Kind::Input;
}
/// Whether a task of kind `kind` frees the activations of its micro-batch.
bool endsActivations(Kind kind) {
  return kind == Kind::Backward || kind == Kind::Weight;
}

/// Returns the largest number of versions of a stage's weights that a worker
/// holds at once. `tasks` are the worker's tasks of this stage, in order.
int64_t weightsOf(const std::vector<Task>& tasks, int64_t delay) {
  std::vector<int64_t> ends;  // the part at which each update ends
  for (const Task& task : tasks)
    if (task.kind == Kind::Update) ends.push_back(task.end());

  if (ends.empty()) return 1;

  // The version that each forward reads, and, for each task, the oldest version
  // that forwards from that task on read.
  int64_t newest = 0;
  std::vector<int64_t> reads;
  for (const Task& task : tasks) {
    const int64_t before =
        std::upper_bound(ends.begin(), ends.end(), task.first) - ends.begin();
    reads.push_back(std::clamp<int64_t>(before - delay, 0, newest));
    if (task.kind == Kind::Update) ++newest;
  }
  std::vector<int64_t> oldest(tasks.size() + 1, newest);
  for (size_t i = tasks.size(); i-- > 0;)
    oldest[i] = tasks[i].kind == Kind::Forward
                    ? std::min(oldest[i + 1], reads[i])
                    : oldest[i + 1];

  int64_t most = 1;
  newest = 0;
  std::map<int64_t, int64_t> versionOf;  // by part in flight
  std::multiset<int64_t> inFlight;
  for (size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    if (task.kind == Kind::Update) ++newest;
    for (int64_t part = task.first; part < task.end(); ++part) {
      if (task.kind == Kind::Forward) {
        versionOf[part] = reads[i];
        inFlight.insert(reads[i]);
      } else if (endsWeights(task.kind)) {
        inFlight.erase(inFlight.find(versionOf[part]));
        versionOf.erase(part);
      }
    }
    int64_t needed = std::min(newest, oldest[i + 1]);
    if (!inFlight.empty()) needed = std::min(needed, *inFlight.begin());
    most = std::max(most, newest - needed + 1);
  }
  return most;
}

/// Counts the parts that a worker holds while it runs a list of tasks. Parts of
/// all stages are added up.
class HeldParts {
 public:
  void run(const Task& task) {
    if (task.kind == Kind::Forward) inFlight_.add(task.count);
    if (task.kind == Kind::Forward) awaitingBackward_.add(task.count);
    if (endsWeights(task.kind)) awaitingBackward_.add(-task.count);
    if (task.kind == Kind::Recompute) {
      recomputed_.add(task.count);
      for (int64_t part = task.first; part < task.end(); ++part)
        recomputedPieces_.emplace(task.stage, part);
    }
    if (task.kind == Kind::Input) awaitingWeightGradient_.add(task.count);
    if (task.kind == Kind::Weight) awaitingWeightGradient_.add(-task.count);
    if (!endsActivations(task.kind)) return;
    inFlight_.add(-task.count);
    for (int64_t part = task.first; part < task.end(); ++part)
      recomputed_.add(
          -static_cast<int64_t>(recomputedPieces_.erase({task.stage, part})));
  }

  int64_t mostInFlight() const { return inFlight_.most; }
  int64_t mostRecomputed() const { return recomputed_.most; }
  int64_t mostAwaitingBackward() const { return awaitingBackward_.most; }
  int64_t mostAwaitingWeightGradient() const {
    return awaitingWeightGradient_.most;
  }

 private:
  PeakCounter inFlight_, recomputed_, awaitingWeightGradient_,
      awaitingBackward_;
  std::set<std::pair<int64_t, int64_t>> recomputedPieces_;  // stage, part
};

}  // namespace

std::vector<std::vector<StageSlots>> slotsOf(const Table& table) {
  std::vector<std::vector<StageSlots>> slots;
  for (const std::vector<Task>& tasks : untilSteady(table).workers) {
    std::map<int64_t, std::vector<Task>> byStage;
    for (const Task& task : tasks) byStage[task.stage].push_back(task);
    std::vector<StageSlots>& ofWorker = slots.emplace_back();
    for (const auto& [stage, ofStage] : byStage) {
      HeldParts held;
      for (const Task& task : ofStage) held.run(task);
      ofWorker.push_back({stage, held.mostInFlight(), held.mostRecomputed(),
                          held.mostAwaitingWeightGradient(),
                          weightsOf(ofStage, table.delay),
                          held.mostAwaitingBackward()});
    }
  }
  return slots;
}

std::vector<WorkerPeak> peaksOf(const Table& table) {
  auto inMicroBatches = [&](int64_t parts) {
    return static_cast<double>(parts) /
           static_cast<double>(table.partsPerMicroBatch);
  };
  std::vector<WorkerPeak> peaks;
  for (const std::vector<Task>& tasks : untilSteady(table).workers) {
    HeldParts held;
    for (const Task& task : tasks) held.run(task);
    peaks.push_back({inMicroBatches(held.mostInFlight()),
                     inMicroBatches(held.mostRecomputed())});
  }
  return peaks;
}

}  // namespace sbp::schedule
