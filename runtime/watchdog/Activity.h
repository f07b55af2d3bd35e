// What a rank is at, as its own thread says and its watchdog tells the others.
//
// Two counters and a place. A rank counts the calls with which it waited for
// others, and the steps of its own work between them; while it waits, it says
// where. A report in which nothing has changed for long is that of a rank which
// hangs: in the wait that it names, or, if it names none, somewhere in its own
// work.

#ifndef RUNTIME_WATCHDOG_ACTIVITY_H_
#define RUNTIME_WATCHDOG_ACTIVITY_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace sbp::watchdog {

/// A rank's activity at one moment.
struct Report {
  uint64_t numCalls = 0;  // that wait for others, begun so far
  uint64_t numSteps = 0;  // of its own work, done so far
  std::string waitsIn;    // "all_reduce over data"; empty while it works

  bool operator==(const Report& other) const {
    return numCalls == other.numCalls && numSteps == other.numSteps &&
           waitsIn == other.waitsIn;
  }
};

/// A report as a text, and back; a text that is no report gives an empty one.
std::string encodeReport(const Report& report);
Report decodeReport(std::string_view text);

/// Written by one thread at a time, read by any. Costs a few stores per wait.
class Activity {
 public:
  /// A name for waits, alive as long as this object; the same for equal texts.
  /// Takes a lock: keep the result.
  const std::string& name(std::string_view text);

  /// The rank begins to wait in `where`, which name() has returned; it goes on.
  void beginWait(const std::string& where) {
    increment(numCalls);
    waitsIn.store(&where, std::memory_order_relaxed);
  }
  void endWait() { waitsIn.store(nullptr, std::memory_order_relaxed); }

  /// The rank has got on with its own work.
  void noteStep() { increment(numSteps); }

  Report report() const;

 private:
  // There is one writer: no locked instruction is needed.
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

/// A wait, from here to the end of the scope. Without an activity, nothing.
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
