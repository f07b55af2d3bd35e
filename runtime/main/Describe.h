// A compiled program in words.

#ifndef RUNTIME_MAIN_DESCRIBE_H_
#define RUNTIME_MAIN_DESCRIBE_H_

#include <string>
#include <vector>

#include "runtime/execute/Executor.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// The mesh, the parameters with their placements, the entries with inputs,
/// outputs, number of tasks and memory.
std::string describe(const plan::Plan& plan);

/// Where the time went, a line per kernel and collective, longest first.
std::string describe(const std::vector<execute::Timing>& timings);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_DESCRIBE_H_
