// A stream of a GPU that a test pretends to have: work that is done in order,
// but late.

#ifndef CODEGEN_CUDA_TESTING_DRIVER_STREAM_H_
#define CODEGEN_CUDA_TESTING_DRIVER_STREAM_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <random>

namespace sbp::cuda::driver {

/// Work that a host has started, and that is done some time before the host has
/// waited for it. The time is random, so that a host which does not wait finds
/// memory as it was before. It belongs to one thread.
class Stream {
 public:
  /// Does one piece of work. Returns an error of the driver; 0 is success.
  using Work = std::function<int()>;

  /// Creates a stream whose times `seed` determines.
  explicit Stream(uint64_t seed) : random_(seed) {}

  /// Adds `work`, and does a random number of the oldest pieces. Returns the
  /// error of the first piece that has failed so far; later ones are not done.
  int add(Work work);

  /// Does all work. Returns as add() does.
  int finish();

 private:
  void doOldest();

  std::deque<Work> pending_;
  std::mt19937_64 random_;
  int error_ = 0;
};

}  // namespace sbp::cuda::driver

#endif  // CODEGEN_CUDA_TESTING_DRIVER_STREAM_H_
