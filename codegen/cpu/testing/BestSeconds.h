// Measures how long code takes when nothing disturbs it.

#ifndef CODEGEN_CPU_TESTING_BESTSECONDS_H_
#define CODEGEN_CPU_TESTING_BESTSECONDS_H_

#include <functional>

namespace sbp::cpu {

/// Returns the seconds of the shortest of many runs. They are CPU time of this
/// thread, in which other processes are not counted.
double bestSeconds(const std::function<void()>& run);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_TESTING_BESTSECONDS_H_
