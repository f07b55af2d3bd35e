// The arena of a rank for one entry: which buffer lies where.
//
// The parameters come first: they stay from run to run, and all entries of a
// program find them at the same offsets. After them lie the inputs of the
// entry, the results of its tasks, and the scratch buffers of its kernels,
// placed by their live ranges. Inputs are live during the whole run.
//
//   | parameters | inputs, temporaries, scratch: planBuffers |
//
// Training steps may overlap (OverlapSteps.h). Then a parameter also has memory
// for those of its earlier values that are still read. A buffer that several
// steps need at once has several slots, which the steps use in turn.

#ifndef CODEGEN_PLAN_ENTRYMEMORY_H_
#define CODEGEN_PLAN_ENTRYMEMORY_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/LoopSlots.h"
#include "codegen/plan/PlanBuffers.h"
#include "codegen/plan/TaskList.h"

namespace sbp {

/// A group of slots of a loop (LoopSlots.h), with its size and live range.
struct SlotsInMemory {
  SlotGroup slots;
  int64_t bytes = 0;      // of each slot
  int64_t liveRange = 0;  // of all slots: index into EntryMemory::liveRanges
};

/// Slots of a buffer that successive training steps use in turn
/// (plan::Rotation).
struct RotatedMemory {
  int64_t buffer = 0;  // the buffer that lies in the slots
  int64_t bytes = 0;   // of each slot
  int64_t count = 1;   // number of slots
};

/// The tasks of an entry, and the layout of its arena after the parameters. The
/// steps of LayOutEntry.h set one member after the other; before its step a
/// member is empty.
struct EntryMemory {
  /// The tasks. After findLiveRanges(), the tasks from index `firstLate` on are
  /// those of TaskList::lateFinishes.
  TaskList list;
  int64_t firstLate = 0;
  /// Updates that the list had before shareBuffers() turned them into tasks.
  std::vector<ParameterUpdate> updates;
  /// memoryOf[b] is the buffer whose memory buffer b uses (ShareBuffers.h).
  std::vector<int64_t> memoryOf;
  /// Scratch buffer of each task, an index into `liveRanges`; -1: none.
  std::vector<int64_t> scratchOf;
  /// Live ranges in the memory after the parameters: first those of all
  /// buffers, then those of scratch buffers, then those of slots. Parameters,
  /// and buffers that lie in the memory of another buffer or in slots, have 0
  /// bytes here.
  std::vector<LiveBuffer> liveRanges;
  /// Slots of each loop of the list.
  std::vector<std::vector<SlotsInMemory>> slots;
  /// Buffers that several steps need at once, except parameters. Empty unless
  /// steps overlap.
  std::vector<RotatedMemory> rotated;
  /// Offsets by index into `liveRanges`, relative to the end of the parameters.
  BufferLayout layout;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_ENTRYMEMORY_H_
