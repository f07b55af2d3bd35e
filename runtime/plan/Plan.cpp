#include "runtime/plan/Plan.h"

#include <algorithm>

namespace sbp::plan {

int64_t byteWidth(ElementType type) {
  switch (type) {
    case ElementType::kF32:
    case ElementType::kI32:
      return 4;
    case ElementType::kBF16:
      return 2;
    case ElementType::kI64:
      return 8;
    case ElementType::kI1:
      return 1;
  }
  return 0;
}

bool isFloat(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kBF16;
}

bool isLocal(CollectiveTask::Kind kind) {
  using Kind = CollectiveTask::Kind;
  switch (kind) {
    case Kind::kAllReduce:
    case Kind::kAllGather:
    case Kind::kReduceScatter:
    case Kind::kAllToAll:
    case Kind::kHaloExchange:
      return false;
    case Kind::kSlice:
    case Kind::kPad:
    case Kind::kToPartial:
    case Kind::kOffset:
      return true;
  }
  return true;
}

std::vector<int64_t> loopsOfTasks(const EntryProgram& program) {
  std::vector<int64_t> loops(program.tasks.size(), -1);
  for (size_t i = 0; i < program.loops.size(); ++i)
    std::fill(loops.begin() + program.loops[i].first,
              loops.begin() + program.loops[i].last, int64_t(i));
  return loops;
}

int64_t Group::size() const {
  int64_t count = 1;
  for (const Axis& axis : axes) count *= axis.size;
  return count;
}

int64_t Group::positionOf(int64_t rank) const {
  if (ranks.empty()) return rank < size() ? rank : -1;
  const auto found = std::find(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() ? -1 : found - ranks.begin();
}

int64_t Plan::numRanks() const { return groups.front().size(); }

}  // namespace sbp::plan
