#include "passes/schedule/order/Admission.h"

namespace sbp::schedule {

Admission::Admission(const TaskGraph& graph)
    : graph_(graph),
      used_(graph.numWorkers(), 0),
      kept_(graph.numBatches(), std::vector<double>(graph.numWorkers(), 0)),
      numForwards_(graph.numBatches(), 0) {
  sizes_.assign(graph.numWorkers(), -1);
  for (int64_t task = 0; task < graph.numTasks(); ++task)
    for (double size : {graph.acquired(task), graph.released(task)}) {
      double& known = sizes_[graph.workerOf(task)];
      if (size > 0) known = known < 0 || known == size ? size : 0;
    }
  for (int64_t batch = 0; batch < graph.numBatches(); ++batch) {
    std::vector<double>& claims = claims_.emplace_back();
    for (int64_t worker = 0; worker < graph.numWorkers(); ++worker)
      claims.push_back(graph.claimOf(batch, worker));
  }
}

void Admission::change(int64_t task, bool isForward, double memory) {
  const int64_t worker = graph_.workerOf(task), batch = graph_.batchOf(task);
  if (batch < 0) {
    changes_.push_back({task});
    return;
  }
  double& claim = claims_[batch][worker];
  changes_.push_back(
      {task, isForward, used_[worker], kept_[batch][worker], claim});
  used_[worker] += memory;
  kept_[batch][worker] += memory;
  if (!isForward) return;
  claim -= memory;
  ++numForwards_[batch];
}

void Admission::start(int64_t task) {
  change(task, graph_.task(task).kind == Kind::Forward, graph_.acquired(task));
}

void Admission::end(int64_t task) {
  change(task, false, -graph_.released(task));
}

void Admission::undo() {
  const Change last = changes_.back();
  changes_.pop_back();
  const int64_t batch = graph_.batchOf(last.task);
  if (batch < 0) return;
  const int64_t worker = graph_.workerOf(last.task);
  used_[worker] = last.used;
  kept_[batch][worker] = last.kept;
  claims_[batch][worker] = last.claim;
  if (last.isForward) --numForwards_[batch];
}

bool Admission::admits(int64_t task) {
  if (graph_.acquired(task) <= 0) return true;
  const int64_t worker = graph_.workerOf(task);
  if (used_[worker] + graph_.acquired(task) > graph_.roomOf(worker))
    return false;
  if (!graph_.mayDeadlock() || graph_.task(task).kind != Kind::Forward)
    return true;
  start(task);
  const bool safe = isSafe();
  undo();
  return safe;
}

bool Admission::isSafe() const {
  std::vector<double> used = used_;
  std::vector<int64_t> inFlight;
  for (int64_t batch = 0; batch < graph_.numBatches(); ++batch)
    if (numForwards_[batch] > 0) inFlight.push_back(batch);
  auto canComplete = [&](int64_t batch) {
    for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker)
      if (claims_[batch][worker] > 0 &&
          used[worker] + claims_[batch][worker] > graph_.roomOf(worker))
        return false;
    return true;
  };
  for (bool hasCompleted = true; hasCompleted && !inFlight.empty();) {
    hasCompleted = false;
    size_t left = 0;
    for (int64_t batch : inFlight) {
      if (!canComplete(batch)) {
        inFlight[left++] = batch;
        continue;
      }
      hasCompleted = true;
      for (int64_t worker = 0; worker < graph_.numWorkers(); ++worker)
        used[worker] -= kept_[batch][worker];
    }
    inFlight.resize(left);
  }
  return inFlight.empty();
}

}  // namespace sbp::schedule
