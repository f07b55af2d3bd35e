#include "codegen/plan/RotateBuffers.h"

#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "runtime/plan/Plan.h"

namespace sbp {

void rotateBuffers(EntryMemory& memory) {
  const TaskList& list = memory.list;
  if (list.maxSkew == 0) return;
  std::map<int64_t, int64_t> counts;  // number of slots, by memory
  auto add = [&](int64_t buffer, int64_t numSteps) {
    if (list.buffers[memory.memoryOf[buffer]].kind !=
        TaskBuffer::Kind::Parameter)
      counts.try_emplace(memory.memoryOf[buffer], 1).first->second += numSteps;
  };
  const int64_t begin = list.loops.front().first;
  std::set<int64_t> early;
  for (auto [index, buffer] : llvm::enumerate(list.buffers))
    if (buffer.kind == TaskBuffer::Kind::Input) early.insert(index);
  for (int64_t index = 0; index < begin; ++index)
    early.insert(list.tasks[index].outputs.begin(),
                 list.tasks[index].outputs.end());
  std::set<int64_t> isAdded;  // memory; several buffers may share it
  auto addOnce = [&](int64_t buffer) {
    if (early.count(buffer) && isAdded.insert(memory.memoryOf[buffer]).second)
      add(buffer, list.stepOffset);
  };
  for (auto [index, buffer] : llvm::enumerate(list.buffers))
    if (buffer.kind == TaskBuffer::Kind::Input) addOnce(index);
  for (const ListedTask& task : llvm::drop_begin(list.tasks, begin)) {
    llvm::for_each(task.inputs, addOnce);
    if (task.end) addOnce(task.end->buffer);
  }
  for (int64_t output : list.outputs) addOnce(output);
  for (const ListedTask& late : llvm::drop_begin(list.tasks, memory.firstLate))
    add(late.end->buffer, list.maxSkew);
  for (auto [buffer, count] : counts) {
    const int64_t bytes =
        llvm::alignTo(list.buffers[buffer].bytes, plan::kBufferAlignment);
    if (count == 1 || bytes == 0) continue;
    memory.rotated.push_back({buffer, bytes, count});
    memory.liveRanges[buffer] = {bytes * count, 0,
                                 static_cast<int64_t>(list.tasks.size())};
  }
}

}  // namespace sbp
