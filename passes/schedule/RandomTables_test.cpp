// Compares checks and simulations of random tables, and of random edits of
// them, with executing the tables piece by piece.
//
// The expected values do not use Dependencies.h: testing/RandomTable.h states
// the rules a second time.

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "passes/schedule/Bounds.h"
#include "passes/schedule/Check.h"
#include "passes/schedule/Csv.h"
#include "passes/schedule/Deadlock.h"
#include "passes/schedule/Dependencies.h"
#include "passes/schedule/Simulate.h"
#include "passes/schedule/testing/RandomTable.h"

namespace sbp::schedule {
namespace {

using Random = std::mt19937;
int64_t below(Random& random, int64_t end) {
  return static_cast<int64_t>(random() % end);
}

Table randomTable(Random& random) {
  return schedule::randomTable([&](int64_t end) { return below(random, end); });
}

/// Whether the table has all tasks that it needs, each once; found by counting.
bool isComplete(const Table& table) {
  std::map<Piece, std::vector<int64_t>> workers;
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    for (const Task& task : table.workers[worker])
      for (const Piece& piece : piecesOf(task))
        workers[piece].push_back(worker);
  for (int64_t stage = 0; stage < table.numStages; ++stage)
    for (int64_t part = 0; part < table.numParts(); ++part) {
      std::map<Kind, size_t> times;
      std::set<int64_t> on;
      for (Kind kind : {Kind::Forward, Kind::Backward, Kind::Input,
                        Kind::Weight, Kind::Recompute}) {
        const std::vector<int64_t>& found = workers[{kind, stage, part}];
        times[kind] = found.size();
        on.insert(found.begin(), found.end());
      }
      const size_t halves = times[Kind::Input] + times[Kind::Weight];
      const bool isWhole = times[Kind::Backward] == 1 && halves == 0;
      const bool isInHalves = times[Kind::Backward] == 0 &&
                              times[Kind::Input] == 1 &&
                              times[Kind::Weight] == 1;
      if (times[Kind::Forward] != 1 || times[Kind::Recompute] > 1 ||
          on.size() != 1 || !(isWhole || isInHalves))
        return false;
    }
  for (const std::vector<Task>& tasks : table.workers)
    for (const Task& task : tasks) {
      int64_t numRecomputed = 0;
      for (int64_t part = task.first; part < task.end(); ++part)
        numRecomputed += static_cast<int64_t>(
            workers[{Kind::Recompute, task.stage, part}].size());
      if (task.kind == Kind::Forward && numRecomputed > 0 &&
          numRecomputed < task.count)
        return false;
    }
  return true;
}

/// Runs tasks until none can be run. Returns whether all tasks were run. A task
/// that can be run can still be run after others. So every order leaves the
/// same tasks, and one order is enough.
bool runsToTheEnd(const Table& table) {
  const std::set<Piece> all = piecesOf(table);
  std::set<Piece> done;
  std::vector<size_t> next(table.numWorkers(), 0);
  for (bool isMoving = true; isMoving;) {
    isMoving = false;
    for (int64_t worker = 0; worker < table.numWorkers(); ++worker) {
      if (next[worker] == table.workers[worker].size()) continue;
      const Task& task = table.workers[worker][next[worker]];
      const std::vector<Piece> needed = needs(all, task, table.numStages);
      if (!std::all_of(needed.begin(), needed.end(), [&](const Piece& piece) {
            return done.count(piece) > 0;
          }))
        continue;
      for (const Piece& piece : piecesOf(task)) done.insert(piece);
      ++next[worker];
      isMoving = true;
    }
  }
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    if (next[worker] < table.workers[worker].size()) return false;
  return true;
}

/// Returns start times, found by going over all tasks until no time changes.
std::vector<double> startsOf(const Table& table, const Durations& durations) {
  const std::set<Piece> all = piecesOf(table);
  struct End {
    double time = 0;
    int64_t worker = 0;
  };
  std::map<Piece, End> ends;
  std::vector<double> starts, before;
  do {
    before = starts;
    starts.clear();
    for (int64_t worker = 0; worker < table.numWorkers(); ++worker) {
      double free = 0;
      for (const Task& task : table.workers[worker]) {
        double start = free;
        for (const Piece& piece : needs(all, task, table.numStages)) {
          const End& end = ends[piece];
          const bool isNear = end.worker == worker;
          start = std::max(start, end.time + (isNear ? 0 : durations.latency));
        }
        free = start + durations.of(table, task);
        for (const Piece& piece : piecesOf(task)) ends[piece] = {free, worker};
        starts.push_back(start);
      }
    }
  } while (starts != before);
  return starts;
}

Durations randomDurations(Random& random, const Table& table) {
  auto time = [&] { return static_cast<double>(below(random, 8)); };
  Durations durations;
  durations.latency = time() / 2;
  for (int64_t stage = 0; stage < table.numStages; ++stage)
    durations.stages.push_back({time(), time(), time(), time(), time()});
  return durations;
}

TEST(RandomTables, AreAcceptedAndRunAsExecutedLiterally) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Table table = randomTable(random);
    ASSERT_TRUE(isComplete(table)) << csvOf(table);
    ASSERT_TRUE(check(table).ok()) << csvOf(table) << check(table);
    const Durations durations = randomDurations(random, table);
    const Simulation run = simulate(Dependencies(table), durations);
    ASSERT_EQ(run.starts, startsOf(table, durations)) << csvOf(table);
  }
}

TEST(RandomTables, TakeAsLongAsTheirCriticalPathAndNoLessThanTheirBounds) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const Table table = randomTable(random);
    const Durations durations = randomDurations(random, table);
    const Dependencies dependencies(table);
    const Simulation run = simulate(dependencies, durations);
    double time = 0;
    int64_t before = -1;
    for (int64_t task : run.criticalPath) {
      if (before >= 0 &&
          dependencies.workerOf(before) != dependencies.workerOf(task))
        time += durations.latency;
      ASSERT_EQ(run.starts[task], time) << csvOf(table);
      time += durations.of(table, dependencies.task(task));
      before = task;
    }
    ASSERT_EQ(run.makespan, time) << csvOf(table);
    ASSERT_LE(boundsOf(dependencies, durations).best(), run.makespan)
        << csvOf(table);
  }
}

/// Returns a table in which a task has been dropped, doubled, swapped or moved.
Table edited(Random& random, Table table) {
  std::vector<std::pair<int64_t, int64_t>> places;
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    for (size_t i = 0; i < table.workers[worker].size(); ++i)
      places.emplace_back(worker, i);
  const auto [worker, at] = places[below(random, places.size())];
  const auto [other, otherAt] = places[below(random, places.size())];
  std::vector<Task>& tasks = table.workers[worker];
  std::vector<Task>& others = table.workers[other];
  const Task task = tasks[at];
  switch (below(random, 6)) {
    case 0:
      tasks.erase(tasks.begin() + at);
      break;
    case 1:
      others.insert(others.begin() + otherAt, task);
      break;
    case 2:
      std::swap(tasks[at], others[otherAt]);
      break;
    case 3:
      tasks.erase(tasks.begin() + at);
      others.push_back(task);
      break;
    default:  // within a worker, so that more tables stay complete
      std::swap(tasks[at], tasks[below(random, tasks.size())]);
  }
  return table;
}

TEST(RandomTables, AreRejectedExactlyWhereTheyCannotBeRun) {
  Random random(2);
  int numAccepted = 0, numIncomplete = 0, numDeadlocked = 0;
  for (int i = 0; i < 10000; ++i) {
    const Table table = edited(random, randomTable(random));
    const absl::Status found = check(table);
    if (!isComplete(table)) {
      ++numIncomplete;
      ASSERT_FALSE(found.ok()) << csvOf(table);
    } else {
      const bool isRun = runsToTheEnd(table);
      ++(isRun ? numAccepted : numDeadlocked);
      ASSERT_EQ(found.ok(), isRun) << csvOf(table) << found;
    }
  }
  EXPECT_GT(numAccepted, 800);
  EXPECT_GT(numIncomplete, 800);
  EXPECT_GT(numDeadlocked, 800);
}

/// Returns the least number of waits of a cycle, by shortest paths from each
/// task to all tasks that must come after it. These are later tasks of its
/// worker (no wait) and tasks that wait for it (one wait).
int64_t fewestWaits(const Dependencies& dependencies) {
  const int64_t numTasks = dependencies.numTasks();
  constexpr int64_t kFar = 1 << 20;
  std::vector<std::vector<int64_t>> waits(numTasks,
                                          std::vector<int64_t>(numTasks, kFar));
  for (int64_t task = 0; task < numTasks; ++task) {
    for (int64_t before : dependencies.before(task)) waits[before][task] = 1;
    if (const int64_t previous = dependencies.previous(task); previous >= 0)
      waits[previous][task] = 0;
  }
  for (int64_t via = 0; via < numTasks; ++via)
    for (int64_t from = 0; from < numTasks; ++from)
      for (int64_t to = 0; to < numTasks; ++to)
        waits[from][to] =
            std::min(waits[from][to], waits[from][via] + waits[via][to]);
  int64_t fewest = kFar;
  for (int64_t task = 0; task < numTasks; ++task)
    fewest = std::min(fewest, waits[task][task]);
  return fewest;
}

TEST(RandomTables, AreRejectedWithTheShortestCycle) {
  Random random(3);
  int numCycles = 0;
  for (int i = 0; i < 2000; ++i) {
    Table table = randomTable(random);
    for (int edits = 0; edits < 3 && isComplete(table); ++edits)
      table = edited(random, table);
    if (!isComplete(table) || runsToTheEnd(table)) continue;
    ++numCycles;
    const Dependencies dependencies(table);
    const std::vector<Wait> cycle = shortestCycle(dependencies);
    ASSERT_EQ(static_cast<int64_t>(cycle.size()), fewestWaits(dependencies))
        << csvOf(table);
    for (size_t k = 0; k < cycle.size(); ++k) {
      const auto [held, waiting] = cycle[k];
      EXPECT_EQ(dependencies.workerOf(held), dependencies.workerOf(waiting));
      EXPECT_GE(held, waiting);
      const auto before = dependencies.before(waiting);
      EXPECT_EQ(std::count(before.begin(), before.end(),
                           cycle[(k + 1) % cycle.size()].held),
                1)
          << csvOf(table);
    }
  }
  EXPECT_GT(numCycles, 100);
}

/// Returns a table without a flush: tasks of several steps, in a random order.
Table randomPeriodicTable(Random& random) {
  Table table = randomTable(random);
  for (std::vector<Task>& tasks : table.workers) {
    std::set<int64_t> stages;
    for (Task& task : tasks) {
      stages.insert(task.stage);
      const bool isForward = task.kind == Kind::Forward;
      task.stepOffset = -(below(random, 2) + (isForward ? 0 : 1));
    }
    for (int64_t stage : stages)
      tasks.push_back({Kind::Update, stage, 0, table.numParts(), -2});
    if (below(random, 2) == 0) std::shuffle(tasks.begin(), tasks.end(), random);
  }
  return table;
}

TEST(RandomTables, WithoutAFlushAreRejectedExactlyWhereTheyCannotBeRun) {
  Random random(5);
  int numAccepted = 0, numDeadlocked = 0;
  for (int i = 0; i < 2000; ++i) {
    const Table table = randomPeriodicTable(random);
    const bool isRun = runsToTheEnd(unrolled(table, 20));
    ++(isRun ? numAccepted : numDeadlocked);
    ASSERT_EQ(check(table).ok(), isRun) << csvOf(table) << check(table);
  }
  EXPECT_GT(numAccepted, 100);
  EXPECT_GT(numDeadlocked, 100);
}

}  // namespace
}  // namespace sbp::schedule
