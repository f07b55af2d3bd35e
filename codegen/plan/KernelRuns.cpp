#include "codegen/plan/KernelRuns.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace sbp {

std::map<int64_t, int64_t> kernelRuns(const plan::EntryProgram& entry) {
  std::vector<int64_t> runsOfTask(entry.tasks.size(), 1);
  const auto run = [&](int64_t first, int64_t last, int64_t times) {
    std::fill(runsOfTask.begin() + first, runsOfTask.begin() + last, times);
  };
  for (const plan::Loop& loop : entry.loops) {
    run(loop.first, loop.last, loop.numMicroBatches);
    for (const plan::Loop::Block& block : loop.blocks)
      run(block.first, block.last, block.numRuns);
  }
  std::map<int64_t, int64_t> runs;
  for (size_t i = 0; i < entry.tasks.size(); ++i)
    if (const auto* task = std::get_if<plan::KernelTask>(&entry.tasks[i]))
      runs[task->kernel] += runsOfTask[i];
  return runs;
}

}  // namespace sbp
