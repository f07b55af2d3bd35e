// Measures how long code takes when nothing disturbs it.

#ifndef CODEGEN_CPU_TESTING_BESTSECONDS_H_
#define CODEGEN_CPU_TESTING_BESTSECONDS_H_

#include <functional>

namespace sbp::cpu {

/// Calls `run` at least 3 times, and up to 2,000 times within 0.3 seconds.
/// Returns the seconds of the shortest call. Seconds are CPU time of this
/// thread, in which other processes are not counted.
double bestSeconds(const std::function<void()>& run);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_TESTING_BESTSECONDS_H_
