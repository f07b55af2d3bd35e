// Signals that tell a run to end: SIGINT (Ctrl-C), SIGTERM, SIGHUP (the
// terminal was closed), SIGPIPE (the reader of the output has ended), and
// SIGUSR1 (the warning of a batch system).
//
// A training run that saves ends after the current step, or, where steps
// overlap, after the steps that have begun, and saves. If one rank gets a
// signal, all ranks learn this when they agree on the step
// (train/StepAgreement.h). So they end after the same step. In any other run,
// the rank that gets the signal ends between two kernels, and ends the other
// ranks too. Such a run does not catch SIGUSR1.

#ifndef RUNTIME_MAIN_INTERRUPT_H_
#define RUNTIME_MAIN_INTERRUPT_H_

#include <atomic>

namespace sbp::program {

/// The point at which a run ends after a signal.
enum class StopPoint { kBetweenKernels, kAfterStep };

/// The signal that this process has received, if any.
struct Interruption {
  const std::atomic<int>& signal;  // the latest signal; 0: none
  // Whether to end before the next kernel; stays false with kAfterStep.
  const std::atomic<bool>& mustStopNow;
};

/// Installs the signal handlers, and returns the variables that they set. A
/// second SIGINT ends the process at once, and so does a second SIGTERM. An
/// ignored SIGHUP (nohup) stays ignored.
Interruption catchInterrupts(StopPoint stopPoint);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_INTERRUPT_H_
