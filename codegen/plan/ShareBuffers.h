// Which buffers of a task list are one and the same.
//
// Three reasons to share:
//
//   Parameters. What `nn.set` stores must end up in the parameter's buffer. The
//   task that makes the value writes it there directly, if no later task reads
//   the old value any more, and if the task itself reads it only in places that
//   it may overwrite (KernelNeeds::inPlace), and if it stands among the updates
//   (OrderUpdates.h). The optimiser's steps are such tasks. Otherwise the value
//   is copied there at the end.
//
//   Loops. What is carried from one time to the next is written where it is
//   carried by the task that makes it, under the same conditions. Otherwise it
//   is copied at the end of each time.
//
//   Results in place. A task whose operand nobody needs afterwards may put its
//   result there, if its kernel or collective allows: the gradients that data
//   parallel ranks reduce need no second buffer.
//
//   Outputs. A result of the entry that is an input, or a parameter that keeps
//   its value, is that buffer. A parameter's old value, when the parameter
//   changes, is copied first.

#ifndef CODEGEN_PLAN_SHAREBUFFERS_H_
#define CODEGEN_PLAN_SHAREBUFFERS_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/TaskList.h"

namespace sbp {

/// For each buffer of `list` the buffer whose memory it has: itself, or the
/// first of those that share. A parameter's and an input's buffer has its own.
///
/// Adds to `list` the copies that are needed, and their buffers, and takes
/// those from it that are not. Afterwards all updates are done by tasks, and
/// `list.updates` is empty.
std::vector<int64_t> shareBuffers(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_SHAREBUFFERS_H_
