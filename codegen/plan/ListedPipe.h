// One nn.repeat of a loop in a list of tasks. A loop has one, or one for each
// pipe of a schedule (passes/stages/DividePipes.h).

#ifndef CODEGEN_PLAN_LISTEDPIPE_H_
#define CODEGEN_PLAN_LISTEDPIPE_H_

#include <cstdint>

#include "passes/stages/RepeatedTasks.h"

namespace sbp {

/// One nn.repeat of a loop. Its tasks stand before those of the loop's next
/// ListedPipe.
struct ListedPipe {
  RepeatedTasks tasks;
  int64_t first = 0;  // index of its first task in the list of listTasks()
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_LISTEDPIPE_H_
