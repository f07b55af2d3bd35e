// Ctrl-C ends a run in order: between two kernels, with the other ranks told.

#ifndef RUNTIME_MAIN_INTERRUPT_H_
#define RUNTIME_MAIN_INTERRUPT_H_

#include <atomic>

namespace sbp::program {

/// From now on the first SIGINT or SIGTERM makes the returned flag true; a
/// second one ends the process at once.
const std::atomic<bool>& catchInterrupts();

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_INTERRUPT_H_
