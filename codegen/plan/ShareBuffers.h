// Decides which buffers of a task list share memory.
//
// Four reasons to share:
//
//   Parameters. A value that nn.set stores must end up in the parameter's
//   buffer. The task that makes the value writes it there directly if it is one
//   of the updates (OrderUpdates.h), no later task reads the old value, and the
//   task itself reads the old value only where it may overwrite it
//   (KernelNeeds::inPlace). Optimiser ops are such tasks. Otherwise the value
//   is copied to the parameter at the end.
//
//   Loops. The task that makes a carried value writes it to the carried buffer,
//   under the same conditions. Otherwise it is copied at the end of each
//   iteration.
//
//   Results in place. A task may write a result over an operand that is dead
//   afterwards, if its kernel or collective allows it: the gradients that data
//   parallel ranks reduce need no second buffer.
//
//   Outputs. A result of the entry that is an input, or a parameter that keeps
//   its value, is that buffer. If the parameter changes, its old value is
//   copied first.

#ifndef CODEGEN_PLAN_SHAREBUFFERS_H_
#define CODEGEN_PLAN_SHAREBUFFERS_H_

#include <cstdint>
#include <vector>

#include "codegen/plan/TaskList.h"

namespace sbp {

/// Returns for each buffer of `list` the buffer whose memory it uses: itself,
/// or the first of those that share. Parameters and inputs always use their
/// own.
///
/// Adds to `list` the copies that are needed, with their buffers, and removes
/// copies that are not. Afterwards tasks do all updates, and `list.updates` is
/// empty.
std::vector<int64_t> shareBuffers(TaskList& list);

}  // namespace sbp

#endif  // CODEGEN_PLAN_SHAREBUFFERS_H_
