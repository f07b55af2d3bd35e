#include "codegen/plan/PlaceBuffers.h"

#include <utility>
#include <vector>

#include "codegen/plan/PlanBuffers.h"
#include "llvm/Support/MathExtras.h"
#include "runtime/plan/Plan.h"

namespace sbp {
namespace {

int64_t alignedBytes(int64_t bytes) {
  return llvm::alignTo(bytes, plan::kBufferAlignment);
}

/// Sets the offsets of the buffers in slots to those in the first slot.
void placeInSlots(EntryMemory& memory) {
  for (const std::vector<SlotsInMemory>& ofLoop : memory.slots)
    for (const SlotsInMemory& placed : ofLoop) {
      int64_t next = memory.layout.offsets[placed.liveRange];
      for (int64_t buffer : placed.slots.buffers) {
        memory.layout.offsets[buffer] = next;
        next += alignedBytes(memory.list.buffers[buffer].bytes);
      }
    }
}

}  // namespace

void addSlots(EntryMemory& memory) {
  for (const ListedLoop& loop : memory.list.loops) {
    std::vector<SlotsInMemory>& ofLoop = memory.slots.emplace_back();
    for (SlotGroup& slots : slotsOf(loop, memory.list, memory.memoryOf)) {
      SlotsInMemory placed = {std::move(slots), 0,
                              static_cast<int64_t>(memory.liveRanges.size())};
      for (int64_t buffer : placed.slots.buffers) {
        placed.bytes += alignedBytes(memory.liveRanges[buffer].bytes);
        memory.liveRanges[buffer].bytes = 0;
      }
      if (placed.bytes == 0) continue;  // only tokens
      LiveBuffer range = {placed.bytes * placed.slots.numSlots, loop.first,
                          loop.last - 1};
      if (memory.list.maxSkew > 0)
        range.first = 0, range.last = memory.list.tasks.size();
      memory.liveRanges.push_back(range);
      ofLoop.push_back(std::move(placed));
    }
  }
}

void placeBuffers(EntryMemory& memory) {
  memory.layout = planBuffers(memory.liveRanges, plan::kBufferAlignment);
  placeInSlots(memory);
}

}  // namespace sbp
