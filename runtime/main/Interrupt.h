// Signals that tell a run to end: Ctrl-C (SIGINT), SIGTERM, a terminal that is
// closed (SIGHUP), a reader of what the run prints that has gone away
// (SIGPIPE), and the warning of a batch system (SIGUSR1).
//
// A run that saves ends after the step under way, and saves; all ranks after
// the same step, so that what is told to one is told to all with the step. One
// that does not ends between two kernels, with the other ranks told; to it
// SIGUSR1 is what it is to any program.

#ifndef RUNTIME_MAIN_INTERRUPT_H_
#define RUNTIME_MAIN_INTERRUPT_H_

#include <atomic>

namespace sbp::program {

enum class EndsWhenTold { kBetweenKernels, kAfterStep };

/// What signals have told this process.
struct Interruption {
  const std::atomic<int>& signal;       // the latest; 0: none
  const std::atomic<bool>& endsAtOnce;  // between two kernels
};

/// From now on signals are noted. A second SIGINT or SIGTERM ends the process
/// at once. SIGHUP stays ignored if it is (nohup).
Interruption catchInterrupts(EndsWhenTold manner);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_INTERRUPT_H_
