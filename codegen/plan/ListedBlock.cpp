#include "codegen/plan/ListedBlock.h"

namespace sbp {
namespace {

constexpr const char* kPartNames[kNumBlockParts] = {" before", "", " sums",
                                                    " after"};

}  // namespace

std::string ListedBlock::text() const {
  return task ? task->text() + kPartNames[static_cast<int>(part)] : "";
}

}  // namespace sbp
