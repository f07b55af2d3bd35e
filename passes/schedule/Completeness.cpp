#include "passes/schedule/Completeness.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "runtime/status/Status.h"

namespace sbp::schedule {
namespace {

constexpr int32_t kNobody = -1;

absl::Status checkSizes(const Table& table) {
  if (table.numStages < 1 || table.numMicroBatches < 1 ||
      table.partsPerMicroBatch < 1 || table.delay < 0)
    return error(
        "a table cannot have {} stages, {} micro-batches of {} parts and "
        "a delay of {} updates; the first three are 1 or more, the last 0 or "
        "more",
        table.numStages, table.numMicroBatches, table.partsPerMicroBatch,
        table.delay);
  const int64_t most = kMaxStageParts / table.numStages / table.numMicroBatches;
  if (table.partsPerMicroBatch > most)
    return error(
        "a table of {} stages and {} micro-batches of {} parts is too "
        "large; stages x parts may be {}",
        table.numStages, table.numMicroBatches, table.partsPerMicroBatch,
        kMaxStageParts);
  return absl::OkStatus();
}

absl::Status checkRange(const Table& table, const Task& task, int64_t worker) {
  if (task.stage < 0 || task.stage >= table.numStages)
    return error("worker {} has a task of stage {}; the stages are 0 to {}",
                 worker, task.stage, table.numStages - 1);
  if (task.first < 0 || task.count < 1 || task.end() > table.numParts())
    return error(
        "worker {} has a {} of stage {} for parts {} to {}; there are "
        "0 to {}",
        worker, nameOf(task.kind), task.stage, task.first, task.end() - 1,
        table.numParts() - 1);
  if (task.stepOffset > 0)
    return error("worker {}: the {} is of a later step", worker,
                 describe(table, task));
  return absl::OkStatus();
}

/// The worker that has each kind of task of each (stage, part).
class Owners {
 public:
  explicit Owners(const Table& table) : table_(table) {
    for (std::vector<int32_t>& owners : ofKind_)
      owners.assign(table.numStages * table.numParts(), kNobody);
  }

  absl::Status add(const Task& task, int64_t worker) {
    for (int64_t part = task.first; part < task.end(); ++part) {
      int32_t& owner = at(task.kind, task.stage, part);
      if (owner != kNobody)
        return error(
            "{} has two tasks '{}', on worker {} and on worker {}; "
            "one is needed",
            piece(task.stage, part), nameOf(task.kind), owner, worker);
      owner = static_cast<int32_t>(worker);
    }
    return absl::OkStatus();
  }

  absl::Status checkAll() const {
    for (int64_t stage = 0; stage < table_.numStages; ++stage)
      for (int64_t part = 0; part < table_.numParts(); ++part)
        SBP_RETURN_IF_ERROR(checkPiece(stage, part));
    return absl::OkStatus();
  }

  /// Fails if some parts of `forward` are recomputed and others are not. A
  /// forward keeps either all that it saves, or only its inputs.
  absl::Status checkRecomputed(const Task& forward) const {
    const bool isRecomputed =
        at(Kind::Recompute, forward.stage, forward.first) != kNobody;
    for (int64_t part = forward.first; part < forward.end(); ++part)
      if ((at(Kind::Recompute, forward.stage, part) != kNobody) != isRecomputed)
        return error(
            "the {} is recomputed for {} and not for {}; all of a forward is, "
            "or nothing",
            describe(table_, forward),
            describeParts(table_, isRecomputed ? forward.first : part, 1),
            describeParts(table_, isRecomputed ? part : forward.first, 1));
    return absl::OkStatus();
  }

  int32_t forward(int64_t stage, int64_t part) const {
    return at(Kind::Forward, stage, part);
  }

 private:
  const int32_t& at(Kind kind, int64_t stage, int64_t part) const {
    return ofKind_[static_cast<int>(kind)][stage * table_.numParts() + part];
  }
  int32_t& at(Kind kind, int64_t stage, int64_t part) {
    return ofKind_[static_cast<int>(kind)][stage * table_.numParts() + part];
  }

  std::string piece(int64_t stage, int64_t part) const {
    return fmt::format("stage {}, {}", stage, describeParts(table_, part, 1));
  }

  absl::Status checkPiece(int64_t stage, int64_t part) const {
    const int32_t forward = at(Kind::Forward, stage, part);
    const int32_t whole = at(Kind::Backward, stage, part);
    const int32_t input = at(Kind::Input, stage, part);
    const int32_t weight = at(Kind::Weight, stage, part);
    if (forward == kNobody)
      return error(
          "{} has no forward; every stage has one for each of {} "
          "micro-batches",
          piece(stage, part), table_.numMicroBatches);
    if (whole == kNobody && input == kNobody && weight == kNobody)
      return error(
          "{} has a forward on worker {} and no backward; it needs "
          "one, or a backward of inputs and one of weights",
          piece(stage, part), forward);
    if (whole != kNobody && (input != kNobody || weight != kNobody))
      return error(
          "{} has a backward on worker {} and a {} on worker {}; the "
          "backward is either whole or in two halves",
          piece(stage, part), whole,
          nameOf(input != kNobody ? Kind::Input : Kind::Weight),
          input != kNobody ? input : weight);
    if (whole == kNobody && (input == kNobody || weight == kNobody))
      return error("{} has a {} and no {}; a backward in halves needs both",
                   piece(stage, part),
                   nameOf(input != kNobody ? Kind::Input : Kind::Weight),
                   nameOf(input == kNobody ? Kind::Input : Kind::Weight));
    for (Kind kind :
         {Kind::Backward, Kind::Input, Kind::Weight, Kind::Recompute}) {
      const int32_t owner = at(kind, stage, part);
      if (owner != kNobody && owner != forward)
        return error(
            "{} has its forward on worker {} and its {} on worker "
            "{}; both are on one, where the activations are",
            piece(stage, part), forward, nameOf(kind), owner);
    }
    return absl::OkStatus();
  }

  const Table& table_;
  std::array<std::vector<int32_t>, kNumPerPartKinds> ofKind_;
};

/// Fails unless `tasks`, the updates or reductions of `stage` on `worker`,
/// cover each micro-batch at most once. Updates must cover all micro-batches,
/// and reductions those whose forward is on the worker.
absl::Status checkCover(const Table& table, const Owners& owners, Kind kind,
                        int64_t stage, int64_t worker,
                        const std::vector<Task>& tasks) {
  std::vector<int64_t> times(table.numParts(), 0);
  for (const Task& task : tasks)
    for (int64_t part = task.first; part < task.end(); ++part) ++times[part];
  for (int64_t part = 0; part < table.numParts(); ++part) {
    const bool isNeeded =
        kind == Kind::Update || owners.forward(stage, part) == worker;
    if (times[part] > 1 || (isNeeded && times[part] == 0))
      return error(
          "worker {} has {} tasks '{}' of stage {} for {}; one is needed",
          worker, times[part], nameOf(kind), stage,
          describeParts(table, part, 1));
  }
  return absl::OkStatus();
}

/// The tasks of one kind, updates or reductions, that a worker has for a stage.
struct StageShare {
  bool hasForward = false;
  std::vector<Task> tasks;
};

absl::Status checkStageTasks(const Table& table, const Owners& owners,
                             Kind kind) {
  std::map<int64_t, std::map<int64_t, StageShare>>
      shares;                // by stage and worker
  std::set<int64_t> stages;  // stages that have tasks of this kind
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    for (const Task& task : table.workers[worker]) {
      if (task.kind == Kind::Forward)
        shares[task.stage][worker].hasForward = true;
      if (task.kind != kind) continue;
      shares[task.stage][worker].tasks.push_back(task);
      stages.insert(task.stage);
    }
  if (stages.empty()) return absl::OkStatus();
  for (const auto& [stage, ofStage] : shares) {
    // If the table has no reductions of a stage, the compiler adds them.
    if (kind == Kind::Reduce && stages.count(stage) == 0) continue;
    for (const auto& [worker, share] : ofStage) {
      if (!share.hasForward)
        return error(
            "worker {} has a task '{}' of stage {} and no forward of it; both "
            "are on one worker",
            worker, nameOf(kind), stage);
      SBP_RETURN_IF_ERROR(
          checkCover(table, owners, kind, stage, worker, share.tasks));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status checkComplete(const Table& table) {
  SBP_RETURN_IF_ERROR(checkSizes(table));
  Owners owners(table);
  bool hasUpdates = false;
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    for (const Task& task : table.workers[worker]) {
      SBP_RETURN_IF_ERROR(checkRange(table, task, worker));
      hasUpdates |= task.kind == Kind::Update;
      if (isPerPart(task.kind)) SBP_RETURN_IF_ERROR(owners.add(task, worker));
    }
  SBP_RETURN_IF_ERROR(owners.checkAll());
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks)
      if (task.kind == Kind::Forward)
        SBP_RETURN_IF_ERROR(owners.checkRecomputed(task));
  if (numOverlappedSteps(table) > 0 && !hasUpdates)
    return error(
        "the table has tasks of earlier steps and no updates; without a flush "
        "it says where they are, as in 0U<1");
  for (Kind kind : {Kind::Reduce, Kind::Update})
    SBP_RETURN_IF_ERROR(checkStageTasks(table, owners, kind));
  return absl::OkStatus();
}

}  // namespace sbp::schedule
