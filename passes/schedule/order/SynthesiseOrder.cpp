#include "passes/schedule/order/SynthesiseOrder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/schedule/Dependencies.h"
#include "passes/schedule/order/ExactOrder.h"
#include "passes/schedule/order/OrderBounds.h"
#include "passes/schedule/order/TaskGraph.h"

namespace sbp::schedule {

double SynthesisedOrder::gap() const {
  return order && cost.makespan > 0 ? (cost.makespan - bound) / cost.makespan
                                    : 0;
}

namespace {

class Synthesis {
 public:
  Synthesis(const OrderProblem& problem, const SynthesisTuning& tuning)
      : problem_(problem), tuning_(tuning), graph_(problem) {}

  SynthesisedOrder run() {
    answer_.bound = orderBoundsOf(graph_).best();
    const bool isWhole = hasWholeTimes(problem_, graph_);
    // Orders of whole times have whole makespans.
    if (isWhole) answer_.bound = std::ceil(answer_.bound - kRounding);
    start();
    if (answer_.order && !answer_.isProven()) anneal();
    if (isWhole && graph_.numTasks() <= tuning_.maxExactTasks) searchExactly();
    return std::move(answer_);
  }

 private:
  /// Takes `table` if it is an order and better than the best so far.
  void take(const Table& table) {
    absl::StatusOr<OrderCost> cost = problem_.verify(table);
    if (!cost.ok()) return;
    if (answer_.order && cost->makespan >= answer_.cost.makespan) return;
    answer_.order = table;
    answer_.cost = *std::move(cost);
  }

  /// Takes the problem's table, and list schedules: by the start times of the
  /// problem's table, by the longest way to the end, and backwards first.
  void start() {
    take(problem_.table);
    const Dependencies dependencies(problem_.table);
    std::vector<double> byTail, backwardsFirst;
    for (int64_t task = 0; task < graph_.numTasks(); ++task) {
      byTail.push_back(-graph_.tails()[task]);
      const bool isForward = graph_.task(task).kind == Kind::Forward;
      const auto first = static_cast<double>(graph_.task(task).first);
      const auto numParts = static_cast<double>(problem_.table.numParts());
      backwardsFirst.push_back(isForward ? numParts + first : first);
    }
    const std::vector<std::vector<double>> priorities = {
        simulate(dependencies, problem_.durations).starts, byTail,
        backwardsFirst};
    for (const std::vector<double>& each : priorities)
      if (const auto lists = listSchedule(graph_, each))
        take(graph_.tableOf(*lists));
  }

  void anneal() {
    const TaskLists first = listsOf(*answer_.order);
    AnnealingTuning tuning = tuning_.annealing;
    tuning.evaluations /= std::max<int64_t>(1, tuning_.restarts);
    for (int64_t i = 0; i < tuning_.restarts && !answer_.isProven(); ++i) {
      const TimedLists found =
          schedule::anneal(graph_, first, answer_.bound, tuning);
      answer_.evaluations += found.evaluations;
      take(graph_.tableOf(found.lists));
      ++tuning.seed;
    }
  }

  /// Returns the lists of `table`, whose tasks are those of the graph.
  TaskLists listsOf(const Table& table) const {
    using Key = std::tuple<int64_t, Kind, int64_t, int64_t>;
    auto keyOf = [](int64_t worker, const Task& task) {
      return Key{worker, task.kind, task.stage, task.first};
    };
    std::map<Key, int64_t> numbers;
    for (int64_t number = 0; number < graph_.numTasks(); ++number)
      numbers[keyOf(graph_.workerOf(number), graph_.task(number))] = number;
    TaskLists lists(table.numWorkers());
    for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
      for (const Task& task : table.workers[worker])
        lists[worker].push_back(numbers.at(keyOf(worker, task)));
    return lists;
  }

  void searchExactly() {
    const double upper = answer_.order ? answer_.cost.makespan
                                       : graph_.totalDuration() + 1;
    const ExactAnswer exact =
        searchExactOrder(graph_, answer_.bound, upper, tuning_.maxStates);
    answer_.states = exact.states;
    answer_.bound = std::max(answer_.bound, exact.bound);
    if (exact.order) take(*exact.order);
  }

  static constexpr double kRounding = 1e-9;

  const OrderProblem& problem_;
  const SynthesisTuning& tuning_;
  TaskGraph graph_;
  SynthesisedOrder answer_;
};

}  // namespace

SynthesisedOrder synthesiseOrder(const OrderProblem& problem,
                                 const SynthesisTuning& tuning) {
  return Synthesis(problem, tuning).run();
}

}  // namespace sbp::schedule
