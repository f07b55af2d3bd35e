// A compiled program in words.

#ifndef RUNTIME_MAIN_DESCRIBE_H_
#define RUNTIME_MAIN_DESCRIBE_H_

#include <string>
#include <string_view>
#include <vector>

#include "runtime/execute/Executor.h"
#include "runtime/plan/Plan.h"

namespace sbp::program {

/// The mesh, the parameters with their placements, the entries with inputs,
/// outputs, number of tasks and memory.
std::string describe(const plan::Plan& plan);

/// Which program this is, in a line: its model, the identity of its plan, which
/// `planText` is, and the compiler that made it.
///
///   gpt, plan 8f2b60c417ae93d5, 4 ranks, by sbpc 0.1.0 (commit e0aa3f2, ...)
///
/// Plans with one identity are the same text, by the same compiler.
std::string describeVersion(const plan::Plan& plan, std::string_view planText);

/// Where the time went, a line per kernel and collective, longest first.
std::string describe(const std::vector<execute::Timing>& timings);

}  // namespace sbp::program

#endif  // RUNTIME_MAIN_DESCRIBE_H_
