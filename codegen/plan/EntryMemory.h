// The arena of a rank for one entry: which buffer lies where.
//
// The parameters come first: they stay from run to run, and all entries of a
// program find them at the same offsets. After them lie the entry's inputs,
// which stay as well, the results of its tasks, and the scratch buffers of its
// kernels, placed by their live ranges:
//
//   | parameters | inputs, temporaries, scratch: planBuffers |
//
// Where steps overlap, each parameter has slots for its earlier values, and a
// buffer that several steps need at once has slots that rotate with the steps.

#ifndef CODEGEN_PLAN_ENTRYMEMORY_H_
#define CODEGEN_PLAN_ENTRYMEMORY_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/LoopSlots.h"
#include "codegen/plan/PlanBuffers.h"
#include "codegen/plan/TaskList.h"

namespace sbp {

/// Slots of a loop with their size and live range.
struct SlotsInMemory {
  SlotGroup slots;
  int64_t bytes = 0;  // of each slot
  int64_t life = 0;   // live range of all, an index into EntryMemory::lives
};

/// Memory whose slots rotate from step to step (plan::Rotation).
struct RotatedMemory {
  int64_t buffer = 0;  // the buffer that lies in the slots
  int64_t bytes = 0;   // of each slot
  int64_t count = 1;   // number of slots
};

/// The tasks of an entry, and the layout of its arena after the parameters. The
/// members are set one after the other (LayOutEntry.h).
struct EntryMemory {
  /// The tasks; those from `firstLate` on are the late ones (TaskList::late).
  TaskList list;
  int64_t firstLate = 0;
  /// Updates that the list had before shareBuffers() turned them into tasks.
  std::vector<ParameterUpdate> updates;
  /// memoryOf[b] is the buffer whose memory buffer b uses (ShareBuffers.h).
  std::vector<int64_t> memoryOf;
  /// Scratch buffer of each task, an index into `lives`; -1: none.
  std::vector<int64_t> scratchOf;
  /// Live ranges of the memory after the parameters: first those of all
  /// buffers, then those of scratch buffers, then those of slots. A buffer
  /// without memory of its own there has 0 bytes.
  std::vector<LiveBuffer> lives;
  /// Slots of each loop of the list.
  std::vector<std::vector<SlotsInMemory>> slots;
  /// Buffers that several steps need at once, parameters aside; none unless
  /// steps overlap.
  std::vector<RotatedMemory> rotated;
  /// Offsets by index into `lives`, relative to the end of the parameters.
  BufferLayout layout;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_ENTRYMEMORY_H_
