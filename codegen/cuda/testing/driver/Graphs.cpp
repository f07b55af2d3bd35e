#include "codegen/cuda/testing/driver/Graphs.h"

namespace sbp::cuda::driver {

bool Graphs::beginRecording(void* stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  return recorded_.emplace(stream, std::make_unique<LaunchGraph>()).second;
}

bool Graphs::isRecording(void* stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  return recorded_.count(stream) > 0;
}

bool Graphs::record(void* stream, const StartLaunch& launch) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = recorded_.find(stream);
  if (found == recorded_.end()) return false;
  found->second->push_back(launch);
  return true;
}

LaunchGraph* Graphs::endRecording(void* stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = recorded_.find(stream);
  if (found == recorded_.end()) return nullptr;
  LaunchGraph* const graph = found->second.release();
  recorded_.erase(found);
  return graph;
}

void* Graphs::instantiate(const LaunchGraph& graph) {
  std::lock_guard<std::mutex> lock(mutex_);
  void* const handle = reinterpret_cast<void*>(++numExecutables_);
  executables_[handle] = std::make_shared<LaunchGraph>(graph);
  return handle;
}

int Graphs::start(void* executable, void* stream, int unknown) {
  std::shared_ptr<const LaunchGraph> graph;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = executables_.find(executable);
    if (found == executables_.end()) return unknown;
    graph = found->second;
  }
  for (const StartLaunch& launch : *graph)
    if (const int error = launch(stream)) return error;
  return 0;
}

bool Graphs::destroy(void* executable) {
  std::lock_guard<std::mutex> lock(mutex_);
  return executables_.erase(executable) > 0;
}

}  // namespace sbp::cuda::driver
