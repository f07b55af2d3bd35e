// The streams of a GPU that a test pretends to have: work that is done in the
// order of each stream, but late, and in a random order among streams.

#ifndef CODEGEN_CUDA_TESTING_DRIVER_STREAMS_H_
#define CODEGEN_CUDA_TESTING_DRIVER_STREAMS_H_

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
/// time after it was asked for, or as soon as the host asks whether it is done.
/// The times are random. All functions may be called from any thread.
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

  void work();
  bool isDone(Point point) const;
  /// Returns the streams whose next work can begin.
  std::vector<Stream*> ready();
  bool isIdle() const;

  std::mutex mutex_;  // guards all that follows
  std::condition_variable changed_;
  std::map<int64_t, Stream> streams_;
  int64_t next_ = 1;
  std::mt19937_64 random_;
  bool isHurried_ = false;
  bool isEnding_ = false;
  int error_ = 0;
  std::thread worker_;
};

}  // namespace sbp::cuda::driver

#endif  // CODEGEN_CUDA_TESTING_DRIVER_STREAMS_H_
