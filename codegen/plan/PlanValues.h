// The values that the tasks of an entry read and write (runtime/plan/Values.h).
// Each buffer of a task list is one value, since the list does not say yet
// which buffers share memory.

#ifndef CODEGEN_PLAN_PLANVALUES_H_
#define CODEGEN_PLAN_PLANVALUES_H_

#include "codegen/plan/EntryMemory.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// Returns the values of the entry in `memory`. `built` has its tasks in the
/// same order, and `offsets` says where its buffers lie. A copy makes no value
/// of its own: its result is the value that it copies. Inputs and outputs are
/// those of this program, not of the whole entry.
plan::EntryValues valuesOf(const EntryMemory& memory, ArrayRef<int64_t> offsets,
                           const plan::EntryProgram& built);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANVALUES_H_
