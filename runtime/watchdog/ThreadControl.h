// The control plane of ranks that are threads of one process.
//
// A thread dies only with its process, so this control plane does not watch for
// dead ranks. It does not detect a thread that hangs either. It only lets ranks
// agree and fail together.

#ifndef RUNTIME_WATCHDOG_THREADCONTROL_H_
#define RUNTIME_WATCHDOG_THREADCONTROL_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/watchdog/AbortFlag.h"
#include "runtime/watchdog/Control.h"

namespace sbp::watchdog {

/// State shared by the threads of a world.
struct ThreadWorld {
  explicit ThreadWorld(int64_t numRanks) : contributions(numRanks) {}

  AbortFlag flag;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> contributions;  // by rank, to an all-gather
  std::vector<std::string> gathered;       // result of the last all-gather
  int64_t numContributed = 0;  // ranks that have come to the next all-gather
  uint64_t numGathers = 0;     // number of complete all-gathers
};

/// One thread's end of the control plane.
class ThreadControl : public Control {
 public:
  ThreadControl(std::shared_ptr<ThreadWorld> world, int64_t rank)
      : world(std::move(world)), rank(rank) {}

  absl::StatusOr<std::vector<std::string>> allGather(
      std::string_view text) override;
  void fail(const std::string& reason) override;
  void interrupt() override { fail("interrupted"); }
  absl::Status finish() override { return allGather("").status(); }
  void allowKill(int64_t) override {}
  std::string describe(int64_t rank) const override {
    return "rank " + std::to_string(rank);
  }

 private:
  std::shared_ptr<ThreadWorld> world;
  int64_t rank;
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_THREADCONTROL_H_
