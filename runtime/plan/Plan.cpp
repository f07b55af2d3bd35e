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

const Program& Plan::programOf(int64_t rank) const {
  for (const Program& program : programs)
    if (std::binary_search(program.ranks.begin(), program.ranks.end(), rank))
      return program;
  // Not reached: check() makes sure that every rank is in a program.
  return programs.front();
}

bool Plan::isForGpus() const {
  return std::any_of(kernels.begin(), kernels.end(), [](const Kernel& kernel) {
    return !kernel.launches.empty();
  });
}

}  // namespace sbp::plan
