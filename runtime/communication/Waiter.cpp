#include "runtime/communication/Waiter.h"

#include <sys/prctl.h>

#include <algorithm>
#include <thread>

namespace sbp::communication {
namespace {

using std::chrono::microseconds;

constexpr microseconds kLongestYielding{200};
constexpr microseconds kLongestSleep{100};
constexpr int kPartOfWait = 16;

// Timer slack of this thread. By default the kernel wakes a sleeper up to 50 us
// late.
constexpr unsigned long kTimerSlackNanoseconds = 1000;

}  // namespace

void Waiter::rest(Clock::duration waited) {
  if (waited < kLongestYielding) {
    sched_yield();
    return;
  }
  static thread_local const int wakesInTime =
      prctl(PR_SET_TIMERSLACK, kTimerSlackNanoseconds);
  (void)wakesInTime;
  std::this_thread::sleep_for(
      std::min<Clock::duration>(waited / kPartOfWait, kLongestSleep));
}

}  // namespace sbp::communication
