// The streams of the stand-in driver. The work of one stream is done in order,
// but late; the order among streams is random.

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

/// All streams of a process. One thread does the work of all streams. It begins
/// a piece of work after a delay, or at once while the host waits for the work.
/// The delays are random, and so is the choice of the stream that goes on. From
/// time to time one stream rests while others have work, so that the others
/// overtake it unless they wait for it. All functions may be called from any
/// thread.
class Streams {
 public:
  /// Starts the thread. `seed` is that of the random delays and choices.
  explicit Streams(uint64_t seed);

  /// Ends the thread. Work that is not done is never done.
  ~Streams();

  /// Creates a stream, and returns its number, from 1 on.
  int64_t create();
  /// Removes a stream after its work has been done.
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

  /// Whether all work of a stream has been done, or any work has failed. If
  /// not, all delays end until all streams are idle.
  bool isDone(int64_t stream);
  /// Blocks until all work of all streams has been done, or any work has
  /// failed.
  void finish();

  /// Returns the first error of any work; 0 if there is none. After an error no
  /// stream does anything.
  int error();

 private:
  /// The work that a stream still has, and counts of all its work.
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
  /// Removes the resting stream from `candidates`, if its rest has not ended
  /// and other streams have work.
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
