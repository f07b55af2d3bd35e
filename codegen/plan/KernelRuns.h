// Counts the kernel runs of a program.

#ifndef CODEGEN_PLAN_KERNELRUNS_H_
#define CODEGEN_PLAN_KERNELRUNS_H_

#include <cstdint>
#include <map>

#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns, by kernel, the number of times that one run of `entry` runs it,
/// with all iterations of loops. Kernels are indices into plan::Plan::kernels.
std::map<int64_t, int64_t> kernelRuns(const plan::EntryProgram& entry);

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELRUNS_H_
