// Descriptions of a compiled program and of the time that a run took, for
// people.

#ifndef RUNTIME_MAIN_DESCRIBE_H_
#define RUNTIME_MAIN_DESCRIBE_H_

#include <string>
#include <string_view>
#include <vector>

#include "runtime/execute/Executor.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// Describes a program: the mesh, the parameters and their placements, and for
/// each entry its inputs, outputs, number of tasks and memory. The number of
/// tasks and the memory are maxima over the ranks.
std::string describe(const plan::Plan& plan);

/// Identifies a program in one line: its model, the hash of `planText`, the
/// number of ranks, and the compiler, if it is known. `planText` is the JSON
/// text of `plan`.
///
///   gpt, plan 8f2b60c417ae93d5, 4 ranks, by sbpc 0.1.0 (commit e0aa3f2, ...)
///
/// `planText` names the compiler, so the hash depends on the compiler too.
std::string describeVersion(const plan::Plan& plan, std::string_view planText);

/// Describes where time was spent: a line with the total time of kernels and
/// that of collectives and transfers, then a line for each of `timings` that
/// counts at least one run, in their order.
std::string describe(const std::vector<execute::Timing>& timings);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_DESCRIBE_H_
