// The values that the tasks of an entry read and write (runtime/plan/Values.h).
// Each buffer of a task list is one value: buffers that share memory are still
// different buffers of the list.

#ifndef CODEGEN_PLAN_PLANVALUES_H_
#define CODEGEN_PLAN_PLANVALUES_H_

#include "codegen/plan/EntryMemory.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns the values of the entry in `memory`. `built` has the tasks of the
/// plan, in the order of `memory.list`; `offsets` has the offset of each buffer
/// in the arena. A copy makes no value of its own: its result is the value that
/// it copies. Inputs and outputs are those of this program, not of the whole
/// entry.
plan::EntryValues valuesOf(const EntryMemory& memory, ArrayRef<int64_t> offsets,
                           const plan::EntryProgram& built);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANVALUES_H_
