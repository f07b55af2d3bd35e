// The activity of a rank: recorded by the thread that runs the rank, and
// reported to rank 0 by the rank's watchdog (ControlPlane.h).
//
// The activity consists of two counters and a location. A rank counts its calls
// that wait for other ranks, and the steps of its own work between these calls.
// While the rank waits, the location is the name of the wait, such as
// "all_reduce over data". If the reports of a rank stay equal for a long time
// and name a wait, the rank waits for others there. If they stay equal and name
// no wait, the rank is busy, or hangs in its own work.

#ifndef RUNTIME_WATCHDOG_ACTIVITY_H_
#define RUNTIME_WATCHDOG_ACTIVITY_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace sbp::watchdog {

/// The activity of a rank at one moment.
struct Report {
  uint64_t numCalls = 0;  // calls that wait for others, begun so far
  uint64_t numSteps = 0;  // steps of the rank's own work, done so far
  std::string waitsIn;    // "all_reduce over data"; empty: the rank works

  bool operator==(const Report& other) const {
    return numCalls == other.numCalls && numSteps == other.numSteps &&
           waitsIn == other.waitsIn;
  }
};

/// Encodes a report as a text.
std::string encodeReport(const Report& report);
/// Decodes the text of a report. Returns an empty report for any other text.
Report decodeReport(std::string_view text);

/// The counters and location of one rank. Written by one thread at a time, read
/// by any. Costs a few stores per wait.
class Activity {
 public:
  /// Returns a name for waits, with the text `text`: for equal texts the same
  /// string object, which lives as long as this Activity. Takes a lock, so call
  /// it once per name and keep the result.
  const std::string& name(std::string_view text);

  /// Records that the rank begins to wait in `where`, a result of name().
  void beginWait(const std::string& where) {
    increment(numCalls);
    waitsIn.store(&where, std::memory_order_relaxed);
  }
  /// Records that the rank has ended its wait and goes on.
  void endWait() { waitsIn.store(nullptr, std::memory_order_relaxed); }

  /// Records that the rank has made progress with its own work.
  void noteStep() { increment(numSteps); }

  /// Returns the present counters and location.
  Report report() const;

 private:
  // There is only one writer, so no locked instruction is needed.
  static void increment(std::atomic<uint64_t>& count) {
    count.store(count.load(std::memory_order_relaxed) + 1,
                std::memory_order_relaxed);
  }

  std::atomic<uint64_t> numCalls{0};
  std::atomic<uint64_t> numSteps{0};
  std::atomic<const std::string*> waitsIn{nullptr};
  std::mutex mutex;
  std::set<std::string, std::less<>> names;
};

/// Records a wait in `where` that lasts until the end of the scope. Does
/// nothing if `activity` is null.
class Wait {
 public:
  Wait(Activity* activity, const std::string* where) : activity(activity) {
    if (activity) activity->beginWait(*where);
  }
  ~Wait() {
    if (activity) activity->endWait();
  }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

 private:
  Activity* activity;
};

}  // namespace sbp::watchdog

#endif  // RUNTIME_WATCHDOG_ACTIVITY_H_
