// The checks of the loops of one entry: their blocks, in which order these run,
// and their slots; part of Check.h.

#ifndef RUNTIME_PLAN_CHECKLOOPS_H_
#define RUNTIME_PLAN_CHECKLOOPS_H_

#include "absl/status/status.h"
#include "runtime/plan/Plan.h"

namespace sbp::plan {

/// Checks that the loops of `program`, what the ranks of `of` run of an entry,
/// stand apart, one behind the other, on one side of the first update; that the
/// tasks of each are those of its blocks, which run as often as they say, and
/// for no time twice; that its slots are enough for that order; and that its
/// ranks can agree, where messages decide.
absl::Status checkLoops(const Plan& plan, const Program& of,
                        const EntryProgram& program);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_CHECKLOOPS_H_
