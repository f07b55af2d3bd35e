#include "passes/schedule/Slots.h"

#include <algorithm>
#include <map>
#include <set>

namespace sbp::schedule {
namespace {

/// A number of parts, and the most that it has been.
struct Held {
  int64_t now = 0, most = 0;

  void add(int64_t parts) {
    now += parts;
    most = std::max(most, now);
  }
};

/// As many steps as show the most that is held: the pipeline is full when what
/// is furthest back has come in, and the step after that is like all others.
Table longEnough(const Table& table) {
  return unrolled(table, 2 + mostStepsBack(table));
}

bool endsWeights(Kind kind) {
  return kind == Kind::Backward || kind == Kind::Input;
}
bool endsActivations(Kind kind) {
  return kind == Kind::Backward || kind == Kind::Weight;
}

/// How many versions of its weights a stage has at most on a worker, of whose
/// list `tasks` are those of the stage.
int64_t weightsOf(const std::vector<Task>& tasks, int64_t delay) {
  std::vector<int64_t> ends;  // the part at which each update ends
  for (const Task& task : tasks)
    if (task.kind == Kind::Update) ends.push_back(task.end());

  // What each forward reads, and the oldest that a forward from there on reads.
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

StageSlots slotsOf(const std::vector<Task>& tasks, int64_t delay) {
  Held inFlight, recomputed, halfBack;
  std::set<int64_t> recomputedParts;
  for (const Task& task : tasks) {
    if (task.kind == Kind::Forward) inFlight.add(task.count);
    if (task.kind == Kind::Recompute) {
      recomputed.add(task.count);
      for (int64_t part = task.first; part < task.end(); ++part)
        recomputedParts.insert(part);
    }
    if (task.kind == Kind::Input) halfBack.add(task.count);
    if (!endsActivations(task.kind)) continue;
    inFlight.add(-task.count);
    if (task.kind == Kind::Weight) halfBack.add(-task.count);
    for (int64_t part = task.first; part < task.end(); ++part)
      recomputed.add(-static_cast<int64_t>(recomputedParts.erase(part)));
  }
  StageSlots slots;
  slots.stage = tasks[0].stage;
  slots.inFlight = inFlight.most;
  slots.recomputed = recomputed.most;
  slots.halfBack = halfBack.most;
  slots.weights = weightsOf(tasks, delay);
  return slots;
}

}  // namespace

std::vector<std::vector<StageSlots>> slotsOf(const Table& table) {
  std::vector<std::vector<StageSlots>> slots;
  for (const std::vector<Task>& tasks : longEnough(table).workers) {
    std::map<int64_t, std::vector<Task>> byStage;
    for (const Task& task : tasks) byStage[task.stage].push_back(task);
    slots.emplace_back();
    for (const auto& [stage, ofStage] : byStage)
      slots.back().push_back(slotsOf(ofStage, table.delay));
  }
  return slots;
}

std::vector<double> peakActivations(const Table& table) {
  std::vector<double> peaks;
  for (const std::vector<Task>& tasks : longEnough(table).workers) {
    Held held;
    for (const Task& task : tasks) {
      if (task.kind == Kind::Forward) held.add(task.count);
      if (endsActivations(task.kind)) held.add(-task.count);
    }
    peaks.push_back(static_cast<double>(held.most) /
                    static_cast<double>(table.partsPerMicroBatch));
  }
  return peaks;
}

}  // namespace sbp::schedule
