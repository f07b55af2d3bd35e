#include "passes/schedule/order/TaskGraph.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "passes/schedule/Dependencies.h"

namespace sbp::schedule {

TaskGraph::TaskGraph(const OrderProblem& problem) : empty_(problem.table) {
  const Table& table = problem.table;
  const Durations& durations = problem.durations;
  for (std::vector<Task>& tasks : empty_.workers) tasks.clear();
  for (int64_t worker = 0; worker < table.numWorkers(); ++worker)
    rooms_.push_back(problem.roomOf(worker));
  const Dependencies dependencies(table);
  for (int64_t number = 0; number < dependencies.numTasks(); ++number) {
    const Task& task = dependencies.task(number);
    tasks_.push_back(task);
    workers_.push_back(dependencies.workerOf(number));
    durations_.push_back(durations.of(table, task));
    acquired_.push_back(problem.acquiredBy(task));
    released_.push_back(problem.releasedBy(task));
    std::vector<Arc>& waits = before_.emplace_back();
    for (int64_t before : dependencies.before(number)) {
      const bool isNear = dependencies.workerOf(before) == workers_.back();
      waits.push_back(
          {before, isNear ? 0
                          : durations.messageBetween(
                                dependencies.task(before).stage, task.stage)});
    }
  }
  addQueues(classesOfParts());
  addBatches(problem);
  addWaits(problem);
  sort();
  addPaths();
}

std::vector<int64_t> TaskGraph::classesOfParts() const {
  // Which tasks a part has: kind, stage, worker, number of parts, and which of
  // these parts it is.
  using Way = std::vector<std::tuple<Kind, int64_t, int64_t, int64_t, int64_t>>;
  std::vector<Way> ways(empty_.numParts());
  for (int64_t number = 0; number < numTasks(); ++number) {
    const Task& task = tasks_[number];
    if (!isPerPart(task.kind)) continue;
    for (int64_t part = task.first; part < task.end(); ++part)
      ways[part].emplace_back(task.kind, task.stage, workers_[number],
                              task.count, part - task.first);
  }
  std::map<Way, int64_t> numbers;
  std::vector<int64_t> classes;
  for (Way& way : ways) {
    std::sort(way.begin(), way.end());
    classes.push_back(
        numbers.try_emplace(std::move(way), numbers.size()).first->second);
  }
  return classes;
}

void TaskGraph::addQueues(const std::vector<int64_t>& classOf) {
  using Key = std::tuple<int64_t, int64_t, Kind, int64_t, int64_t, int64_t>;
  std::map<Key, int64_t> numbers;
  queueOf_.resize(numTasks());
  queuesOfWorker_.resize(numWorkers());
  for (int64_t number = 0; number < numTasks(); ++number) {
    const Task& task = tasks_[number];
    const bool isOfPart = isPerPart(task.kind);
    // Reductions and updates are queues of one task.
    const Key key = {workers_[number], task.stage,
                     task.kind,        isOfPart ? classOf[task.first] : -1,
                     task.count,       isOfPart ? 0 : task.first};
    const auto [found, isNew] = numbers.try_emplace(key, queues_.size());
    if (isNew) {
      queuesOfWorker_[workers_[number]].push_back(found->second);
      queues_.push_back({workers_[number], task, {}});
    }
    queues_[found->second].tasks.push_back(number);
    queueOf_[number] = found->second;
  }
  std::vector<int64_t> numForwards(numWorkers());
  for (TaskQueue& queue : queues_) {
    std::sort(queue.tasks.begin(), queue.tasks.end(),
              [&](int64_t a, int64_t b) {
                return tasks_[a].first < tasks_[b].first;
              });
    if (queue.first.kind == Kind::Forward)
      mayDeadlock_ |= ++numForwards[queue.worker] > 1;
  }
}

void TaskGraph::addBatches(const OrderProblem& problem) {
  // Parts that share a task have the same representative.
  std::vector<int64_t> representative(empty_.numParts());
  std::iota(representative.begin(), representative.end(), 0);
  auto find = [&](int64_t part) {
    while (representative[part] != part)
      part = representative[part] = representative[representative[part]];
    return part;
  };
  for (const Task& task : tasks_)
    if (isPerPart(task.kind))
      for (int64_t part = task.first; part < task.end(); ++part) {
        const int64_t a = find(task.first), b = find(part);
        representative[std::max(a, b)] = std::min(a, b);
      }
  std::vector<int64_t> numbers(empty_.numParts(), -1);
  int64_t numBatches = 0;
  for (int64_t part = 0; part < empty_.numParts(); ++part)
    if (find(part) == part) numbers[part] = numBatches++;
  claims_.assign(numBatches, std::vector<double>(numWorkers(), 0));
  std::vector<std::vector<double>> residues = claims_;
  for (int64_t number = 0; number < numTasks(); ++number) {
    const Task& task = tasks_[number];
    const bool isOfPart = isPerPart(task.kind);
    batchOf_.push_back(isOfPart ? numbers[find(task.first)] : -1);
    if (!isOfPart) continue;
    const int64_t batch = batchOf_.back(), worker = workers_[number];
    if (task.kind == Kind::Forward) claims_[batch][worker] += acquired_[number];
    if (task.kind == Kind::Input)
      residues[batch][worker] =
          std::max(residues[batch][worker], acquired_[number]);
  }
  least_ = claims_;
  for (int64_t batch = 0; batch < numBatches; ++batch)
    for (int64_t worker = 0; worker < numWorkers(); ++worker)
      least_[batch][worker] += residues[batch][worker];
}

void TaskGraph::addWaits(const OrderProblem& problem) {
  allBefore_ = before_;
  for (const TaskQueue& queue : queues_)
    for (size_t i = 1; i < queue.tasks.size(); ++i)
      allBefore_[queue.tasks[i]].push_back({queue.tasks[i - 1], 0});
  for (const TaskQueue& forwards : queues_) {
    if (forwards.first.kind != Kind::Forward) continue;
    // The queue that frees the memory of the same micro-batches.
    for (int64_t index : queuesOfWorker_[forwards.worker]) {
      const TaskQueue& last = queues_[index];
      if ((last.first.kind != Kind::Backward &&
           last.first.kind != Kind::Weight) ||
          last.first.stage != forwards.first.stage ||
          last.tasks.size() != forwards.tasks.size() ||
          tasks_[last.tasks.front()].first !=
              tasks_[forwards.tasks.front()].first)
        continue;
      // Number of micro-batches before a forward that may still be kept.
      const double stash = problem.memory[last.first.stage].stash *
                           static_cast<double>(last.first.count) /
                           static_cast<double>(empty_.partsPerMicroBatch);
      if (stash <= 0) continue;
      const double others =
          (rooms_[forwards.worker] - acquired_[forwards.tasks.front()]) / stash;
      if (others < 0 || others >= static_cast<double>(forwards.tasks.size()))
        continue;
      const size_t kept = static_cast<size_t>(others) + 1;
      for (size_t i = kept; i < forwards.tasks.size(); ++i)
        allBefore_[forwards.tasks[i]].push_back({last.tasks[i - kept], 0});
    }
  }
}

void TaskGraph::sort() {
  std::vector<int64_t> missing(numTasks());
  std::vector<std::vector<int64_t>> after(numTasks());
  for (int64_t number = 0; number < numTasks(); ++number) {
    missing[number] = static_cast<int64_t>(allBefore_[number].size());
    for (const Arc& arc : allBefore_[number]) after[arc.task].push_back(number);
    if (missing[number] == 0) sorted_.push_back(number);
  }
  for (size_t i = 0; i < sorted_.size(); ++i)
    for (int64_t next : after[sorted_[i]])
      if (--missing[next] == 0) sorted_.push_back(next);
}

void TaskGraph::addPaths() {
  heads_.assign(numTasks(), 0);
  tails_.assign(numTasks(), 0);
  for (int64_t number : sorted_)
    for (const Arc& arc : allBefore_[number])
      heads_[number] = std::max(
          heads_[number], heads_[arc.task] + durations_[arc.task] + arc.lag);
  for (auto number = sorted_.rbegin(); number != sorted_.rend(); ++number)
    for (const Arc& arc : allBefore_[*number])
      tails_[arc.task] = std::max(
          tails_[arc.task], arc.lag + durations_[*number] + tails_[*number]);
}

double TaskGraph::totalDuration() const {
  return std::accumulate(durations_.begin(), durations_.end(), 0.0);
}

Table TaskGraph::tableOf(const std::vector<std::vector<int64_t>>& lists) const {
  Table table = empty_;
  for (size_t worker = 0; worker < lists.size(); ++worker)
    for (int64_t number : lists[worker])
      table.workers[worker].push_back(tasks_[number]);
  return table;
}

}  // namespace sbp::schedule
