#include "runtime/plan/Plan.h"

#include <algorithm>

namespace sbp::plan {

std::vector<int64_t> loopsOfTasks(const EntryProgram& program) {
  std::vector<int64_t> loops(program.tasks.size(), -1);
  for (size_t i = 0; i < program.loops.size(); ++i)
    std::fill(loops.begin() + program.loops[i].first,
              loops.begin() + program.loops[i].last, int64_t(i));
  return loops;
}

int64_t Plan::numRanks() const { return groups.front().size(); }

}  // namespace sbp::plan
