#include "passes/schedule/testing/RandomTable.h"

#include <algorithm>
#include <utility>

namespace sbp::schedule {
namespace {

/// A task and the worker that has it.
using Placed = std::pair<Task, int64_t>;

/// Returns the tasks of `left` in a random order in which they can be run. The
/// tasks are for `numStages` stages.
std::vector<Placed> inRandomOrder(std::vector<Placed> left, int64_t numStages,
                                  Draw below) {
  std::vector<Placed> order;
  std::set<Piece> all, done;
  for (const auto& [task, worker] : left)
    for (const Piece& piece : piecesOf(task)) all.insert(piece);
  while (!left.empty()) {
    const auto at = below(static_cast<int64_t>(left.size()));
    const auto [task, worker] = left[at];
    const std::vector<Piece> needed = needs(all, task, numStages);
    if (!std::all_of(needed.begin(), needed.end(),
                     [&](const Piece& piece) { return done.count(piece) > 0; }))
      continue;
    order.emplace_back(task, worker);
    for (const Piece& piece : piecesOf(task)) done.insert(piece);
    left.erase(left.begin() + at);
  }
  return order;
}

/// Adds the tasks of `left` to the workers of `table`, in a random order in
/// which they can be run.
void addInRandomOrder(std::vector<Placed> left, Table& table, Draw below) {
  for (const auto& [task, worker] :
       inRandomOrder(std::move(left), table.numStages, below))
    table.workers[worker].push_back(task);
}

bool makesGradients(Kind kind) {
  return kind == Kind::Backward || kind == Kind::Input || kind == Kind::Weight;
}

/// A task and the slot in which it starts; its step begins with slot 0.
struct Started {
  Task task;
  int64_t slot = 0;
};

/// The tasks of a worker in one step, in order. The updates come after all
/// gradients.
struct Row {
  std::vector<Started> tasks;
  int64_t firstGradient = -1, update = -1;  // slots

  void add(const Task& task, int64_t slot) {
    tasks.push_back({task, slot});
    if (!makesGradients(task.kind)) return;
    if (firstGradient < 0) firstGradient = slot;
    update = slot + 1;
  }
};

/// Adds the backward of a part of a micro-batch, whole or in halves.
void addBackward(int64_t stage, int64_t part, int64_t worker, bool isSplit,
                 std::vector<Placed>& tasks) {
  if (!isSplit) {
    tasks.push_back({{Kind::Backward, stage, part}, worker});
    return;
  }
  tasks.push_back({{Kind::Input, stage, part}, worker});
  tasks.push_back({{Kind::Weight, stage, part}, worker});
}

/// Returns a random number of parts for a forward that begins with `part`. The
/// number is 1 or 2 or, if micro-batches have parts, 1 part or a whole
/// micro-batch.
int64_t randomCount(const Table& table, int64_t part, Draw below) {
  const int64_t parts = table.partsPerMicroBatch;
  if (parts == 1)
    return 1 + below(std::min<int64_t>(2, table.numParts() - part));
  return part % parts == 0 && below(2) == 1 ? parts : 1;
}

}  // namespace

std::vector<Piece> piecesOf(const Task& task) {
  std::vector<Piece> pieces;
  for (int64_t part = task.first; part < task.end(); ++part)
    pieces.emplace_back(task.kind, task.stage, part);
  return pieces;
}

std::set<Piece> piecesOf(const Table& table) {
  std::set<Piece> all;
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks)
      for (const Piece& piece : piecesOf(task)) all.insert(piece);
  return all;
}

std::vector<Piece> needs(const std::set<Piece>& all, const Task& task,
                         int64_t numStages) {
  std::vector<Piece> pieces;
  auto ifThere = [&](Kind kind, int64_t stage, int64_t part) {
    if (all.count({kind, stage, part}) > 0)
      pieces.emplace_back(kind, stage, part);
  };
  for (int64_t part = task.first; part < task.end(); ++part) {
    if (task.kind == Kind::Forward && task.stage > 0)
      pieces.emplace_back(Kind::Forward, task.stage - 1, part);
    if (task.kind == Kind::Recompute)
      pieces.emplace_back(Kind::Forward, task.stage, part);
    if (task.kind == Kind::Weight)
      pieces.emplace_back(Kind::Input, task.stage, part);
    if (task.kind == Kind::Update) {
      ifThere(Kind::Backward, task.stage, part);
      ifThere(Kind::Weight, task.stage, part);
    }
    if (task.kind != Kind::Backward && task.kind != Kind::Input) continue;
    pieces.emplace_back(Kind::Forward, task.stage, part);
    ifThere(Kind::Recompute, task.stage, part);
    if (task.stage + 1 == numStages) continue;
    ifThere(Kind::Backward, task.stage + 1, part);
    ifThere(Kind::Input, task.stage + 1, part);
  }
  return pieces;
}

Table randomTable(Draw below) {
  Table table;
  table.numStages = 1 + below(4);
  table.numMicroBatches = 1 + below(4);
  table.workers.resize(1 + below(4));
  std::vector<Placed> tasks;
  for (int64_t stage = 0; stage < table.numStages; ++stage) {
    for (int64_t part = 0; part < table.numParts();) {
      const int64_t worker = below(table.numWorkers());
      const int64_t count = randomCount(table, part, below);
      tasks.push_back({{Kind::Forward, stage, part, count}, worker});
      const bool isRecomputed = below(3) == 0;
      for (int64_t i = part; i < part + count; ++i) {
        if (isRecomputed)
          tasks.push_back({{Kind::Recompute, stage, i}, worker});
        addBackward(stage, i, worker, /*isSplit=*/below(2) == 1, tasks);
      }
      part += count;
    }
  }
  addInRandomOrder(std::move(tasks), table, below);
  return table;
}

Table randomTable(const std::vector<int64_t>& workerOfStage,
                  int64_t numMicroBatches, int64_t partsPerMicroBatch,
                  bool isOnSeveral, Draw below) {
  Table table;
  table.numStages = static_cast<int64_t>(workerOfStage.size());
  table.numMicroBatches = numMicroBatches;
  table.partsPerMicroBatch = partsPerMicroBatch;
  table.workers.resize(
      1 + *std::max_element(workerOfStage.begin(), workerOfStage.end()));
  std::vector<Placed> tasks;
  for (int64_t stage = 0; stage < table.numStages; ++stage) {
    std::vector<int64_t> workers;  // by part; the first is the stage's own
    while (static_cast<int64_t>(workers.size()) < table.numParts()) {
      const auto part = static_cast<int64_t>(workers.size());
      const int64_t count = randomCount(table, part, below);
      const bool isAway = isOnSeveral && part > 0 && below(2) == 1;
      const int64_t worker =
          isAway ? below(table.numWorkers()) : workerOfStage[stage];
      tasks.push_back({{Kind::Forward, stage, part, count}, worker});
      workers.insert(workers.end(), count, worker);
    }
    const bool isRecomputed = below(3) == 2;
    const int64_t back = below(3);  // whole, in halves, by turns
    for (int64_t part = 0; part < table.numParts(); ++part) {
      if (isRecomputed)
        tasks.push_back({{Kind::Recompute, stage, part}, workers[part]});
      const bool isSplit = back == 1 || (back == 2 && below(2) == 1);
      addBackward(stage, part, workers[part], isSplit, tasks);
    }
  }
  addInRandomOrder(std::move(tasks), table, below);
  return table;
}

Table randomAsynchronousTable(const std::vector<int64_t>& workerOfStage,
                              int64_t numMicroBatches, Draw below) {
  Table table;
  table.numStages = static_cast<int64_t>(workerOfStage.size());
  table.numMicroBatches = numMicroBatches;
  std::vector<Placed> tasks;
  for (int64_t stage = 0; stage < table.numStages; ++stage) {
    const bool isRecomputed = below(3) == 2, isSplit = below(2) == 1;
    const int64_t worker = workerOfStage[stage];
    for (int64_t part = 0; part < numMicroBatches; ++part) {
      tasks.push_back({{Kind::Forward, stage, part}, worker});
      if (isRecomputed)
        tasks.push_back({{Kind::Recompute, stage, part}, worker});
      addBackward(stage, part, worker, isSplit, tasks);
    }
  }
  // First run one step after the other. Its tasks are in even slots, its
  // updates in odd slots.
  std::vector<Row> rows(
      1 + *std::max_element(workerOfStage.begin(), workerOfStage.end()));
  int64_t slot = 0, firstLoss = -1;
  for (const auto& [task, worker] :
       inRandomOrder(std::move(tasks), table.numStages, below)) {
    rows[worker].add(task, slot);
    if (firstLoss < 0 && task.stage + 1 == table.numStages) firstLoss = slot;
    slot += 2;
  }
  // Then begin a step every `every` slots. The sums of gradients and losses of
  // one step must be complete when those of the next step begin.
  int64_t least = rows[workerOfStage.back()].update - firstLoss;
  for (const Row& row : rows)
    least = std::max(least, row.update - row.firstGradient);
  const int64_t every =
      2 * (least / 2 + 1 + below(std::max<int64_t>((slot - least) / 2, 1)));
  for (int64_t stage = 0; stage < table.numStages; ++stage) {
    Row& row = rows[workerOfStage[stage]];
    row.tasks.push_back(
        {{Kind::Update, stage, 0, numMicroBatches}, row.update});
  }
  for (Row& row : rows) {
    for (Started& started : row.tasks) {
      started.task.stepOffset = -(started.slot / every);
      // Number of updates by earlier steps that come after this task.
      table.delay =
          std::max(table.delay, (row.update - started.slot - 1) / every);
    }
    std::sort(row.tasks.begin(), row.tasks.end(),
              [&](const Started& a, const Started& b) {
                return std::make_tuple(a.slot % every, a.slot, a.task.stage) <
                       std::make_tuple(b.slot % every, b.slot, b.task.stage);
              });
    std::vector<Task>& ofWorker = table.workers.emplace_back();
    for (const Started& started : row.tasks) ofWorker.push_back(started.task);
  }
  return table;
}

}  // namespace sbp::schedule
