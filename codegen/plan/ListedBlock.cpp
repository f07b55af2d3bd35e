#include "codegen/plan/ListedBlock.h"

#include "fmt/format.h"
#include "passes/schedule/Table.h"

namespace sbp {
namespace {

constexpr const char* kPartNames[kNumBlockParts] = {" before", "", " sums",
                                                    " after"};

}  // namespace

std::string ListedBlock::text() const {
  return task ? task->text() + kPartNames[static_cast<int>(part)] : "";
}

std::string ListedBlock::title() const {
  if (!task) return "";
  return fmt::format("stage {}, {}", task->stage, schedule::nameOf(task->kind));
}

}  // namespace sbp
