#include "passes/schedule/order/AnnealedOrder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace sbp::schedule {
namespace {

constexpr int64_t kNone = -1;

/// Random numbers that are the same on all machines.
class RandomNumbers {
 public:
  explicit RandomNumbers(uint64_t seed) : engine_(seed) {}

  int64_t below(int64_t end) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(end));
  }
  double upToOne() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

class Annealing {
 public:
  Annealing(const TaskGraph& graph, const TaskLists& lists,
            const AnnealingTuning& tuning)
      : graph_(graph),
        tuning_(tuning),
        random_(tuning.seed),
        lists_(lists),
        after_(graph.numTasks()),
        positions_(graph.numTasks()),
        starts_(graph.numTasks()),
        missing_(graph.numTasks()) {
    for (int64_t task = 0; task < graph.numTasks(); ++task)
      for (const Arc& arc : graph.before(task))
        after_[arc.task].push_back({task, arc.lag});
    for (size_t worker = 0; worker < lists_.size(); ++worker)
      renumber(static_cast<int64_t>(worker), 0, lists_[worker].size());
    order_.reserve(graph.numTasks());
  }

  TimedLists run(double bound) {
    const double mean =
        graph_.totalDuration() / static_cast<double>(graph_.numTasks());
    double now = time();
    TimedLists best = {lists_, now, 1};
    const double ratio = tuning_.lastTemperature / tuning_.firstTemperature;
    // Where few steps are possible, trying them counts, too.
    int64_t tries = 0;
    while (best.evaluations < tuning_.evaluations &&
           tries++ < 4 * tuning_.evaluations && best.makespan > bound) {
      const double progress = static_cast<double>(best.evaluations) /
                              static_cast<double>(tuning_.evaluations);
      const Move move = randomMove();
      if (move.from == move.to || !fits(move)) continue;
      apply(move);
      ++best.evaluations;
      const double next = time();
      const double temperature =
          mean * tuning_.firstTemperature * std::pow(ratio, progress);
      if (next > now &&
          random_.upToOne() >= std::exp((now - next) / temperature)) {
        undo(move);
        isTimed_ = false;
        continue;
      }
      now = next;
      if (now < best.makespan) {
        best.makespan = now;
        best.lists = lists_;
      }
    }
    return best;
  }

 private:
  /// Moves the task at `from` in the list of `worker` ahead, to `to`.
  struct Move {
    int64_t worker = 0;
    size_t from = 0, to = 0;
  };

  void renumber(int64_t worker, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) positions_[lists_[worker][i]] = i;
  }

  void apply(const Move& move) {
    const auto list = lists_[move.worker].begin();
    std::rotate(list + move.to, list + move.from, list + move.from + 1);
    renumber(move.worker, move.to, move.from + 1);
  }

  void undo(const Move& move) {
    const auto list = lists_[move.worker].begin();
    std::rotate(list + move.to, list + move.to + 1, list + move.from + 1);
    renumber(move.worker, move.to, move.from + 1);
  }

  int64_t previous(int64_t task) const {
    const size_t position = positions_[task];
    return position == 0 ? kNone : lists_[graph_.workerOf(task)][position - 1];
  }

  double endOf(int64_t task) const {
    return starts_[task] + graph_.durationOf(task);
  }

  /// Finds the times of all tasks, and returns the makespan; infinite if tasks
  /// wait in a cycle.
  double time() {
    isTimed_ = true;
    order_.clear();
    for (int64_t task = 0; task < graph_.numTasks(); ++task) {
      starts_[task] = 0;
      missing_[task] = static_cast<int32_t>(graph_.before(task).size()) +
                       (positions_[task] > 0 ? 1 : 0);
      if (missing_[task] == 0) order_.push_back(task);
    }
    double makespan = 0;
    for (size_t i = 0; i < order_.size(); ++i) {
      const int64_t task = order_[i];
      const double end = endOf(task);
      if (end >= makespan) {
        makespan = end;
        last_ = task;
      }
      for (const Arc& arc : after_[task]) {
        starts_[arc.task] = std::max(starts_[arc.task], end + arc.lag);
        if (--missing_[arc.task] == 0) order_.push_back(arc.task);
      }
      const std::vector<int64_t>& list = lists_[graph_.workerOf(task)];
      if (const size_t next = positions_[task] + 1; next < list.size()) {
        starts_[list[next]] = std::max(starts_[list[next]], end);
        if (--missing_[list[next]] == 0) order_.push_back(list[next]);
      }
    }
    if (static_cast<int64_t>(order_.size()) < graph_.numTasks())
      return std::numeric_limits<double>::infinity();
    return makespan;
  }

  /// Returns a random move along a random critical path. A move from a place to
  /// itself is none.
  Move randomMove() {
    if (random_.below(tuning_.otherMoves) == 0)
      return moveOf(random_.below(graph_.numTasks()));
    if (!isTimed_) time();
    // Tasks that waited for the task before them in their list, and for nothing
    // else that ended as late.
    int64_t chosen = kNone, numSeen = 0;
    for (int64_t task = last_; task != kNone;) {
      const int64_t before = previous(task);
      const double start = starts_[task];
      int64_t next = kNone, numTight = 0;
      if (before != kNone && endOf(before) >= start) {
        next = before;
        numTight = 1;
        if (graph_.queueOf(before) != graph_.queueOf(task) &&
            random_.below(++numSeen) == 0)
          chosen = task;
      }
      for (const Arc& arc : graph_.before(task))
        if (endOf(arc.task) + arc.lag >= start &&
            random_.below(++numTight) == 0)
          next = arc.task;
      task = next;
    }
    return chosen == kNone ? Move() : moveOf(chosen);
  }

  /// Returns a move of `task` ahead of one or more tasks of its worker.
  Move moveOf(int64_t task) {
    const size_t from = positions_[task];
    if (from == 0) return {};
    const int64_t most = std::min<int64_t>(tuning_.maxSkipped, from);
    const int64_t skipped = random_.below(2) == 0 ? 1 : 1 + random_.below(most);
    return {graph_.workerOf(task), from, from - skipped};
  }

  /// Whether the lists still fit and keep the order of queues and the waits on
  /// the worker after a move.
  bool fits(const Move& move) const {
    const std::vector<int64_t>& list = lists_[move.worker];
    const int64_t moved = list[move.from];
    for (size_t i = move.to; i < move.from; ++i) {
      if (graph_.queueOf(list[i]) == graph_.queueOf(moved)) return false;
      for (const Arc& arc : graph_.before(moved))
        if (arc.task == list[i]) return false;
    }
    double used = 0;
    const double room = graph_.roomOf(move.worker);
    const auto run = [&](int64_t task) {
      used += graph_.acquired(task);
      const bool hasRoom = used <= room;
      used -= graph_.released(task);
      return hasRoom;
    };
    for (size_t i = 0; i < move.to; ++i) run(list[i]);
    if (!run(moved)) return false;
    for (size_t i = move.to; i < move.from; ++i)
      if (!run(list[i])) return false;
    return true;
  }

  const TaskGraph& graph_;
  const AnnealingTuning& tuning_;
  RandomNumbers random_;
  TaskLists lists_;
  std::vector<std::vector<Arc>> after_;  // tasks that wait for a task
  std::vector<size_t> positions_;        // in lists, by task
  std::vector<double> starts_;           // by task
  std::vector<int32_t> missing_;
  std::vector<int64_t> order_;
  int64_t last_ = kNone;  // the task that ends last
  bool isTimed_ = false;  // whether starts_ are those of lists_
};

}  // namespace

TimedLists anneal(const TaskGraph& graph, const TaskLists& lists, double bound,
                  const AnnealingTuning& tuning) {
  return Annealing(graph, lists, tuning).run(bound);
}

}  // namespace sbp::schedule
