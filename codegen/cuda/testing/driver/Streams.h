// The streams of a GPU that a test pretends to have: work that is done in the
// order of each stream, but late, and in a random order among streams.

#ifndef CODEGEN_CUDA_TESTING_DRIVER_STREAMS_H_
#define CODEGEN_CUDA_TESTING_DRIVER_STREAMS_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace sbp::cuda::driver {

/// One piece of work of a stream.
struct Work {
  /// Whether the work can begin now; if not, the stream waits.
  std::function<bool()> isReady = [] { return true; };
  /// Does the work. Returns an error of the driver; 0 is success.
  std::function<int()> run = [] { return 0; };
};

/// A point in the work of a stream: after its first `count` pieces.
struct Point {
  int64_t stream = 0;
  int64_t count = 0;
};

/// All streams of a process. A thread of its own does the work, each piece some
/// time after it was asked for, or soon after the host asks whether it is done.
/// The times are random, and so is which stream goes on. From time to time one
/// stream rests while others have work, so that they overtake it if nothing
/// orders them. All functions may be called from any thread.
class Streams {
 public:
  /// Starts with a seed of the times.
  explicit Streams(uint64_t seed);

  /// Ends the thread. Work that is not done is never done.
  ~Streams();

  /// Creates a stream, and returns its number, from 1 on.
  int64_t create();
  /// Makes a stream disappear once its work has been done.
  void destroy(int64_t stream);

  /// Adds work to a stream.
  void add(int64_t stream, Work work);

  /// Returns the point after all work that `stream` has now.
  Point endOf(int64_t stream);
  /// Makes later work of `stream` wait until the work before `point` has been
  /// done.
  void addWait(int64_t stream, Point point);

  /// Lets a stream rest for `time`, as long as others have work.
  void rest(int64_t stream, std::chrono::milliseconds time);

  /// Whether all work of a stream has been done.
  bool isDone(int64_t stream);
  /// Blocks until all work of all streams has been done.
  void finish();

  /// Returns the first error of any work; 0 if there is none. After an error no
  /// stream does anything.
  int error();

 private:
  struct Stream {
    std::deque<Work> pending;
    int64_t numAdded = 0, numDone = 0;
    bool isDestroyed = false;
  };

  using Clock = std::chrono::steady_clock;

  void work();
  bool isDone(Point point) const;
  /// Chooses whether a stream rests, which one, and for how long.
  void chooseResting();
  /// Removes the stream that rests, if it does so now.
  void removeResting(std::vector<Stream*>& candidates);
  /// Returns the streams whose next work can begin.
  std::vector<Stream*> ready();
  bool isIdle() const;

  std::mutex mutex_;  // guards all that follows
  std::condition_variable changed_;
  std::map<int64_t, Stream> streams_;
  int64_t next_ = 1;
  std::mt19937_64 random_;
  int64_t resting_ = 0;       // number of a stream; 0: none
  int64_t numUntilNext_ = 0;  // pieces of work until another one is chosen
  Clock::duration rest_ = {};
  Clock::time_point restsUntil_ = {};
  bool isHurried_ = false;
  bool isEnding_ = false;
  int error_ = 0;
  std::thread worker_;
};

}  // namespace sbp::cuda::driver

#endif  // CODEGEN_CUDA_TESTING_DRIVER_STREAMS_H_
