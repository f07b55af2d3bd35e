// One of the nn.repeat ops whose tasks make up a loop in a list of tasks
// (ListedLoop in TaskList.h). A pipe is a set of micro-batches whose stages run
// on the same groups. A schedule of several pipes has an nn.repeat for each
// pipe (passes/stages/DividePipes.h). All such nn.repeats in which the rank has
// tasks form one loop. Any other nn.repeat is a loop of its own.

#ifndef CODEGEN_PLAN_LISTEDPIPE_H_
#define CODEGEN_PLAN_LISTEDPIPE_H_

#include <cstdint>

#include "passes/stages/RepeatedTasks.h"

namespace sbp {

/// One nn.repeat of a loop. Its tasks stand before those of the loop's next
/// ListedPipe.
struct ListedPipe {
  RepeatedTasks tasks;
  // Index of the first task of the nn.repeat in the list that listTasks()
  // makes. Later steps that move tasks do not change this index.
  int64_t first = 0;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_LISTEDPIPE_H_
