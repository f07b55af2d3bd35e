#include "runtime/main/Interrupt.h"

#include <signal.h>

namespace sbp::program {
namespace {

std::atomic<int> latestSignal = 0;
std::atomic<bool> wasInterrupted = false;
static_assert(std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void stopAfterStep(int number) { latestSignal = number; }

extern "C" void stopNow(int number) {
  latestSignal = number;
  wasInterrupted = true;
}

}  // namespace

Interruption catchInterrupts(StopPoint stopPoint) {
  const bool waitsForStep = stopPoint == StopPoint::kAfterStep;
  struct sigaction action = {};
  action.sa_handler = waitsForStep ? stopAfterStep : stopNow;
  sigemptyset(&action.sa_mask);
  // Without SA_RESETHAND, because these signals may repeat: both the shell and
  // the kernel send SIGHUP, and each unread line raises SIGPIPE.
  action.sa_flags = SA_RESTART;
  if (waitsForStep) sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGPIPE, &action, nullptr);
  struct sigaction former = {};
  sigaction(SIGHUP, nullptr, &former);
  if (former.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return {latestSignal, wasInterrupted};
}

}  // namespace sbp::program
