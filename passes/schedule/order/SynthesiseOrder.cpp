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
    // Small problems are often solved without long annealing.
    if (isWhole && graph_.numTasks() <= tuning_.maxExactTasks) {
      anneal(tuning_.annealing.evaluations / 16);
      if (!answer_.isProven()) searchExactly();
    }
    anneal(tuning_.annealing.evaluations - answer_.evaluations);
    // The bound and the makespan are sums in different orders.
    if (answer_.order)
      answer_.bound = std::min(answer_.bound, answer_.cost.makespan);
    return std::move(answer_);
  }

 private:
  /// Takes `table` if it is an order and better than the best so far. Returns
  /// its makespan; none if it is not an order.
  std::optional<double> take(const Table& table) {
    absl::StatusOr<OrderCost> cost = problem_.verify(table);
    if (!cost.ok()) return std::nullopt;
    const double makespan = cost->makespan;
    if (!answer_.order || makespan < answer_.cost.makespan) {
      answer_.order = table;
      answer_.cost = *std::move(cost);
    }
    return makespan;
  }

  void addStart(Table table) {
    const std::optional<double> makespan = take(table);
    if (!makespan) return;
    const auto place = std::upper_bound(
        starts_.begin(), starts_.end(), *makespan,
        [](double value, const auto& start) { return value < start.first; });
    starts_.emplace(place, *makespan, std::move(table));
  }

  /// Takes the problem's table, and list schedules: by the start times of the
  /// problem's table, by the longest way to the end, backwards first, and one
  /// micro-batch after the other, from either end.
  void start() {
    addStart(problem_.table);
    std::vector<std::vector<double>> priorities(5);
    priorities[0] =
        simulate(Dependencies(problem_.table), problem_.durations).starts;
    for (int64_t task = 0; task < graph_.numTasks(); ++task) {
      const bool isForward = graph_.task(task).kind == Kind::Forward;
      const auto first = static_cast<double>(graph_.task(task).first);
      const auto numParts = static_cast<double>(problem_.table.numParts());
      priorities[1].push_back(-graph_.tails()[task]);
      priorities[2].push_back(isForward ? numParts + first : first);
      priorities[3].push_back(first);
      priorities[4].push_back(-first);
    }
    for (const std::vector<double>& each : priorities)
      if (const auto lists = listSchedule(graph_, each))
        addStart(graph_.tableOf(*lists));
  }

  /// Improves the starts, the best first, with this number of evaluations in
  /// all.
  void anneal(int64_t evaluations) {
    AnnealingTuning tuning = tuning_.annealing;
    tuning.seed += numAnnealed_;
    tuning.evaluations = evaluations / std::max<int64_t>(1, tuning_.restarts);
    for (int64_t i = 0;
         i < tuning_.restarts && !starts_.empty() && !answer_.isProven(); ++i) {
      const Table& first = starts_[i % starts_.size()].second;
      const TimedLists found =
          schedule::anneal(graph_, listsOf(first), answer_.bound, tuning);
      answer_.evaluations += found.evaluations;
      take(graph_.tableOf(found.lists));
      ++tuning.seed;
      ++numAnnealed_;
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
    const double upper =
        answer_.order ? answer_.cost.makespan : graph_.totalDuration() + 1;
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
  std::vector<std::pair<double, Table>> starts_;  // ascending makespans
  uint64_t numAnnealed_ = 0;
  SynthesisedOrder answer_;
};

}  // namespace

SynthesisedOrder synthesiseOrder(const OrderProblem& problem,
                                 const SynthesisTuning& tuning) {
  return Synthesis(problem, tuning).run();
}

}  // namespace sbp::schedule
