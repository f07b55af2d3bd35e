#include "runtime/main/Interrupt.h"

#include <signal.h>

namespace sbp::program {
namespace {

std::atomic<bool> wasInterrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void noteInterrupt(int) { wasInterrupted = true; }

}  // namespace

const std::atomic<bool>& catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = noteInterrupt;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return wasInterrupted;
}

}  // namespace sbp::program
