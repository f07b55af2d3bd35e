// How long a piece of code takes when nothing disturbs it.

#ifndef CODEGEN_CPU_TESTING_BESTSECONDS_H_
#define CODEGEN_CPU_TESTING_BESTSECONDS_H_

#include <functional>

namespace sbp::cpu {

/// The shortest of many runs, in seconds that this thread has run: what else
/// runs on the machine takes the CPU, but then the clock stands still.
double bestSeconds(const std::function<void()>& run);

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_TESTING_BESTSECONDS_H_
