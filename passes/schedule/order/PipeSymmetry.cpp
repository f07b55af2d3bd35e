#include "passes/schedule/order/PipeSymmetry.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace sbp::schedule {
namespace {

constexpr int64_t kNone = -1;

/// The queues of a pipe, by stage, kind, number of parts of a task and number
/// of tasks. Pipes with several such queues of one stage are not exchanged.
using PipeQueues =
    std::map<std::tuple<int64_t, Kind, int64_t, size_t>, int64_t>;

/// Returns the queues of each pipe, and whether they say all of the graph.
std::optional<std::vector<PipeQueues>> pipesOf(const TaskGraph& graph) {
  std::map<int64_t, size_t> numbers;  // by first part of the pipe
  std::vector<PipeQueues> pipes;
  for (size_t queue = 0; queue < graph.queues().size(); ++queue) {
    const TaskQueue& each = graph.queues()[queue];
    const Task& first = graph.task(each.tasks.front());
    if (!isPerPart(first.kind)) return std::nullopt;
    const auto [found, isNew] = numbers.try_emplace(first.first, pipes.size());
    if (isNew) pipes.emplace_back();
    if (!pipes[found->second]
             .try_emplace(
                 {first.stage, first.kind, first.count, each.tasks.size()},
                 queue)
             .second)
      return std::nullopt;
  }
  return pipes;
}

/// Returns the permutation that maps the workers of pipe `from` to those of
/// `to`; none if it does not map each pipe to a pipe.
std::optional<PipeMirror> mirrorOf(const TaskGraph& graph,
                                   const std::vector<PipeQueues>& pipes,
                                   const PipeQueues& from,
                                   const PipeQueues& to) {
  if (from.size() != to.size()) return std::nullopt;
  std::vector<int64_t> image(graph.numWorkers(), kNone);
  for (auto a = from.begin(), b = to.begin(); a != from.end(); ++a, ++b) {
    if (a->first != b->first) return std::nullopt;
    int64_t& known = image[graph.queues()[a->second].worker];
    const int64_t worker = graph.queues()[b->second].worker;
    if (known != kNone && known != worker) return std::nullopt;
    known = worker;
  }
  std::vector<int64_t> all = image;
  std::sort(all.begin(), all.end());
  for (int64_t worker = 0; worker < graph.numWorkers(); ++worker)
    if (all[worker] != worker ||
        graph.roomOf(worker) != graph.roomOf(image[worker]))
      return std::nullopt;
  PipeMirror mirror;
  mirror.workers = std::move(image);
  mirror.queues.assign(graph.queues().size(), kNone);
  for (const PipeQueues& pipe : pipes) {
    const auto isImage = [&](const PipeQueues& other) {
      if (pipe.size() != other.size()) return false;
      for (auto a = pipe.begin(), b = other.begin(); a != pipe.end(); ++a, ++b)
        if (a->first != b->first ||
            mirror.workers[graph.queues()[a->second].worker] !=
                graph.queues()[b->second].worker)
          return false;
      return true;
    };
    const auto other = std::find_if(pipes.begin(), pipes.end(), isImage);
    if (other == pipes.end()) return std::nullopt;
    for (auto a = pipe.begin(), b = other->begin(); a != pipe.end(); ++a, ++b)
      mirror.queues[a->second] = b->second;
  }
  // Two pipes must not take the same place.
  std::vector<int64_t> images = mirror.queues;
  std::sort(images.begin(), images.end());
  for (size_t queue = 0; queue < images.size(); ++queue)
    if (images[queue] != static_cast<int64_t>(queue)) return std::nullopt;
  return mirror;
}

}  // namespace

PipeSymmetry::PipeSymmetry(const TaskGraph& graph) {
  PipeMirror identity;
  for (size_t queue = 0; queue < graph.queues().size(); ++queue)
    identity.queues.push_back(static_cast<int64_t>(queue));
  for (int64_t worker = 0; worker < graph.numWorkers(); ++worker)
    identity.workers.push_back(worker);
  mirrors_.push_back(std::move(identity));
  const auto pipes = pipesOf(graph);
  if (!pipes) return;
  for (size_t other = 1; other < pipes->size(); ++other)
    if (auto mirror = mirrorOf(graph, *pipes, pipes->front(), (*pipes)[other]))
      mirrors_.push_back(*std::move(mirror));
}

}  // namespace sbp::schedule
