// Decides which buffers of a task list share memory.
//
// Four reasons to share:
//
//   Parameters. A value that nn.set stores must end up in the parameter's
//   buffer. The task that makes the value writes it there directly if three
//   conditions hold: the task stands among the updates (OrderUpdates.h); no
//   later task reads the old value; and if the task itself reads the old value,
//   its kernel may overwrite it (KernelNeeds::inPlace). Most optimiser ops meet
//   these conditions. Otherwise the value is copied to the parameter at the
//   end.
//
//   Loops. The task that makes the next value of a carried buffer
//   (ListedLoop::carried) writes it there directly if no later task of the loop
//   reads the old value, and if its kernel may overwrite the old value or does
//   not read it. Otherwise the value is copied at the end of each iteration.
//
//   Results in place. A task may write a result over an operand of the same
//   size that no later task reads, if its kernel or collective allows it. So
//   the gradients that data parallel ranks reduce need no second buffer.
//
//   Outputs. If a result of the entry is an input, or a parameter that keeps
//   its value, it has the buffer of the input or the parameter. If the
//   parameter changes, its old value is copied first.

#ifndef CODEGEN_PLAN_SHAREBUFFERS_H_
#define CODEGEN_PLAN_SHAREBUFFERS_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Returns for each buffer of `list` the buffer whose memory it uses, which may
/// be itself. Parameters and inputs always use their own memory.
///
/// Adds the copies that are needed to `list`, with their buffers, and removes
/// copies that are not needed. Afterwards the tasks make all updates, and
/// `list.updates` is empty.
std::vector<int64_t> shareBuffers(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_SHAREBUFFERS_H_
