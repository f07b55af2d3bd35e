// The part of a loop that one pipe of a schedule contributes, or that a single
// nn.repeat does: tasks of a list.

#ifndef CODEGEN_PLAN_LISTEDPIPE_H_
#define CODEGEN_PLAN_LISTEDPIPE_H_

#include <cstdint>

#include "passes/stages/RepeatedTasks.h"

namespace sbp {

/// One nn.repeat of a loop. Its tasks stand before those of the loop's next
/// pipe.
struct ListedPipe {
  RepeatedTasks tasks;
  int64_t first = 0;  // index of its first task, before tasks are reordered
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_LISTEDPIPE_H_
