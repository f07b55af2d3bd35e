// Counts how often an entry runs each kernel.

#ifndef CODEGEN_PLAN_KERNELRUNS_H_
#define CODEGEN_PLAN_KERNELRUNS_H_

#include <cstdint>
#include <map>

#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns, by kernel (an index into plan::Plan::kernels), the number of its
/// runs in one run of `entry`, all iterations of loops included.
std::map<int64_t, int64_t> kernelRuns(const plan::EntryProgram& entry);

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELRUNS_H_
