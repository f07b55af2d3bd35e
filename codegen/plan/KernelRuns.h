// How often a program runs its kernels.

#ifndef CODEGEN_PLAN_KERNELRUNS_H_
#define CODEGEN_PLAN_KERNELRUNS_H_

#include <cstdint>
#include <map>

#include "runtime/plan/Plan.h"

namespace sbp {

/// By kernel of the plan, of those that `entry` runs: how often one run of the
/// entry does, all times of its loops together.
std::map<int64_t, int64_t> kernelRuns(const plan::EntryProgram& entry);

}  // namespace sbp

#endif  // CODEGEN_PLAN_KERNELRUNS_H_
