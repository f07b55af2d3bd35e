// The graphs of the stand-in driver: launches that are recorded instead of
// started, to be started together later.

#ifndef CODEGEN_CUDA_TESTING_DRIVER_GRAPHS_H_
#define CODEGEN_CUDA_TESTING_DRIVER_GRAPHS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace sbp::cuda::driver {

/// Starts one launch in the stream of its argument. Returns an error of the
/// driver; 0 is success.
using StartLaunch = std::function<int(void* stream)>;

/// Launches in the order in which they start.
using LaunchGraph = std::vector<StartLaunch>;

/// The graphs of a process, and the streams whose work is being recorded. All
/// functions may be called from any thread.
class Graphs {
 public:
  /// Begins to record the work of `stream`. Returns false if it is being
  /// recorded already.
  bool beginRecording(void* stream);
  /// Whether the work of `stream` is being recorded.
  bool isRecording(void* stream);
  /// Records `launch`, if the work of `stream` is being recorded. Returns
  /// whether it is.
  bool record(void* stream, const StartLaunch& launch);
  /// Ends recording, and returns the graph, which the caller owns; null if the
  /// work of `stream` is not being recorded.
  LaunchGraph* endRecording(void* stream);

  /// Makes an executable copy of `graph`, and returns its handle.
  void* instantiate(const LaunchGraph& graph);
  /// Starts the launches of an executable graph in `stream`. Returns the first
  /// error; `unknown` if there is no executable graph of this handle.
  int start(void* executable, void* stream, int unknown);
  /// Destroys an executable graph. Returns whether there was one.
  bool destroy(void* executable);

 private:
  std::mutex mutex_;  // guards all that follows
  std::map<void*, std::unique_ptr<LaunchGraph>> recorded_;  // by stream
  std::map<void*, std::shared_ptr<const LaunchGraph>> executables_;
  int64_t numExecutables_ = 0;  // ever made
};

}  // namespace sbp::cuda::driver

#endif  // CODEGEN_CUDA_TESTING_DRIVER_GRAPHS_H_
