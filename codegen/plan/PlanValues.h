// What the tasks of an entry mean (runtime/plan/Values.h): each buffer of a
// task list is a value, before anything is said of where it lies.

#ifndef CODEGEN_PLAN_PLANVALUES_H_
#define CODEGEN_PLAN_PLANVALUES_H_

#include "codegen/plan/EntryMemory.h"
#include "dialects/support/LLVM.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// The values of the entry in `memory`, whose tasks, in the same order, are
/// those of `built`, and whose buffers lie at `offsets`. What a copy makes
/// is what it copies, not another value. Inputs and outputs are those that the
/// program has.
plan::EntryValues valuesOf(const EntryMemory& memory, ArrayRef<int64_t> offsets,
                           const plan::EntryProgram& built);

}  // namespace sbp

#endif  // CODEGEN_PLAN_PLANVALUES_H_
