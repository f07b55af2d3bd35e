#include "passes/search/run/Interruption.h"

#include <atomic>

namespace sbp::search {
namespace {

std::atomic<bool> hasComeNow = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void noteInterruption(int) { hasComeNow = true; }

}  // namespace

Interruption::Interruption() {
  hasComeNow = false;
  struct sigaction action = {};
  action.sa_handler = noteInterruption;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigaction(SIGINT, &action, &former_);
}

Interruption::~Interruption() { sigaction(SIGINT, &former_, nullptr); }

bool Interruption::hasCome() { return hasComeNow; }

}  // namespace sbp::search
