#include "runtime/cuda/LaunchGraphs.h"

#include "runtime/status/Status.h"

namespace sbp::cuda {
namespace {

/// Number of launches from which on a graph is made. To start a graph takes as
/// long as to start one or two kernels.
constexpr size_t kLeastLaunches = 3;

/// Largest number of launches of a graph. The GPU may be idle while launches
/// are collected; longer graphs would hardly take less time per launch.
constexpr size_t kMostLaunches = 128;

/// Largest number of launches in all graphs of a stream, and in the lists that
/// have been started once. A launch in a graph takes some hundred bytes of the
/// GPU's memory. Later lists are started without graphs.
constexpr size_t kMostRemembered = 32768;

}  // namespace

LaunchGraphs::~LaunchGraphs() {
  for (const auto& [list, graph] : graphs_)
    if (graph) driver_.graphExecDestroy(graph);
}

absl::Status LaunchGraphs::add(const Launch& launch,
                               absl::Span<const Address> arguments,
                               const std::string& what) {
  collected_.add(launch, arguments, what);
  return collected_.size() < kMostLaunches ? absl::OkStatus() : submit();
}

absl::Status LaunchGraphs::submit() {
  if (collected_.size() == 0) return absl::OkStatus();
  absl::Status started;
  const auto found = graphs_.find(collected_);
  if (found != graphs_.end()) {
    ExecutableGraph& graph = found->second;
    if (!graph) {
      SBP_ASSIGN_OR_RETURN(graph, makeGraph());
    }
    started =
        driver_.check(driver_.graphLaunch(graph, stream_), "cuGraphLaunch");
  } else {
    started = collected_.start(driver_, stream_);
    if (collected_.size() >= kLeastLaunches &&
        numRemembered_ + collected_.size() <= kMostRemembered) {
      numRemembered_ += collected_.size();
      graphs_.emplace(collected_, nullptr);
    }
  }
  collected_.clear();
  return started;
}

absl::StatusOr<ExecutableGraph> LaunchGraphs::makeGraph() const {
  SBP_RETURN_IF_ERROR(
      driver_.check(driver_.streamBeginCapture(stream_, kCaptureOfThread),
                    "cuStreamBeginCapture"));
  const absl::Status recorded = collected_.start(driver_, stream_);
  Graph graph = nullptr;
  const absl::Status ended = driver_.check(
      driver_.streamEndCapture(stream_, &graph), "cuStreamEndCapture");
  SBP_RETURN_IF_ERROR(recorded);
  SBP_RETURN_IF_ERROR(ended);
  ExecutableGraph result = nullptr;
  const absl::Status made =
      driver_.check(driver_.graphInstantiate(&result, graph, 0),
                    "cuGraphInstantiateWithFlags");
  driver_.graphDestroy(graph);
  SBP_RETURN_IF_ERROR(made);
  return result;
}

}  // namespace sbp::cuda
