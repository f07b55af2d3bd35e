// Where the buffers of one entry lie in the arena of a rank.
//
// The parameters come first: they stay from run to run, and all entries of a
// program find them in the same place. Behind them lie, as their lives allow,
// the entry's inputs, which stay as well, what its tasks make, and what kernels
// work in:
//
//   | parameters | inputs, temporaries, scratch: planBuffers |
//
// Where steps overlap, each parameter has slots for its earlier values, and
// what is needed of several steps at once has slots that go round with them.

#ifndef CODEGEN_PLAN_ENTRYMEMORY_H_
#define CODEGEN_PLAN_ENTRYMEMORY_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "codegen/plan/LoopSlots.h"
#include "codegen/plan/PlanBuffers.h"
#include "codegen/plan/TaskList.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Slots, and where they lie.
struct SlotsInMemory {
  ListedSlots slots;
  int64_t bytes = 0;  // of each
  int64_t life = 0;   // an index into EntryMemory::lives
};

/// Memory that goes round from step to step (plan::Rotation).
struct RotatedMemory {
  int64_t buffer = 0;  // whose memory it is
  int64_t bytes = 0;   // of each slot
  int64_t count = 1;
};

struct EntryMemory {
  /// Late tasks are its last ones.
  TaskList list;
  int64_t firstLate = 0;
  /// Those of the list, which shareBuffers() has done by tasks.
  std::vector<ParameterUpdate> updates;
  /// Per buffer the one whose memory it has (ShareBuffers.h).
  std::vector<int64_t> memoryOf;
  /// By task the scratch buffer that it works in, behind those of the list, or
  /// -1.
  std::vector<int64_t> scratchOf;
  /// When the memory behind the parameters is needed: by buffer, then by
  /// scratch buffer and by slots. What has no memory there of its own has no
  /// bytes.
  std::vector<LiveBuffer> lives;
  /// By loop of the list.
  std::vector<std::vector<SlotsInMemory>> slots;
  /// Where steps overlap: what is needed of several at once. Not parameters.
  std::vector<RotatedMemory> rotated;
  /// Of that memory.
  BufferLayout layout;
};

/// The tasks of `entry`, a function of a rank.program, and the memory of their
/// buffers. Fails where listTasks does.
FailureOr<EntryMemory> layOutEntry(
    mlir::func::FuncOp entry, const KernelTarget& target,
    const std::optional<PipelineOrder>& pipeline);

}  // namespace sbp

#endif  // CODEGEN_PLAN_ENTRYMEMORY_H_
