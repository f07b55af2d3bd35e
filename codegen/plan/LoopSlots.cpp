#include "codegen/plan/LoopSlots.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/plan/LoopRuns.h"

namespace sbp {
namespace {

/// Returns the blocks of `loop` that use each buffer that its tasks write for
/// one micro-batch. Leaves out buffers that keep their values through the whole
/// loop, and results of blocks that run once.
std::map<int64_t, std::set<int64_t>> usersOf(const ListedLoop& loop,
                                             const TaskList& list,
                                             ArrayRef<int64_t> memoryOf) {
  std::set<int64_t> made, kept;
  for (int64_t buffer : keptIn(loop, list)) kept.insert(memoryOf[buffer]);
  std::map<int64_t, std::set<int64_t>> users;
  for (int64_t index = loop.first; index < loop.last; ++index) {
    const ListedTask& task = list.tasks[index];
    auto use = [&](int64_t buffer) {
      users[memoryOf[buffer]].insert(task.block);
    };
    llvm::for_each(task.inputs, use);
    llvm::for_each(task.outputs, use);
    if (task.end) use(task.end->buffer);
    for (int64_t output : task.outputs)
      (runsOnce(loop, task) ? kept : made).insert(memoryOf[output]);
  }
  std::map<int64_t, std::set<int64_t>> own;
  for (auto& [buffer, blocks] : users)
    if (made.count(buffer) && !kept.count(buffer) &&
        list.buffers[buffer].kind == TaskBuffer::Kind::Temporary)
      own[buffer] = blocks;
  return own;
}

/// Whether the blocks `users` run in the order of the list, and only blocks
/// that stand between them in the list run in between. If one slot is enough,
/// the live range of their buffers is then a range of tasks of the list.
bool runsUndisturbed(const ListedLoop& loop,
                     const std::vector<int64_t>& users) {
  size_t next = 0;  // index into users
  for (const plan::Loop::BlockRun& run : loop.order) {
    if (run.block == users[next])
      next = (next + 1) % users.size();
    else if (std::binary_search(users.begin(), users.end(), run.block))
      return false;
    else if (next > 0 &&
             (run.block < users.front() || run.block > users.back()))
      return false;
  }
  return true;
}

bool isOfSeveralSteps(const ListedLoop& loop) {
  return llvm::any_of(loop.order, [](const plan::Loop::BlockRun& run) {
    return run.stepOffset != 0;
  });
}

}  // namespace

std::vector<SlotGroup> slotsOf(const ListedLoop& loop, const TaskList& list,
                               ArrayRef<int64_t> memoryOf) {
  if (loop.blocks.empty()) return {};
  std::map<std::vector<int64_t>, SlotGroup> byUsers;
  for (const auto& [buffer, blocks] : usersOf(loop, list, memoryOf)) {
    if (blocks.size() == 1) continue;
    std::vector<int64_t> users(blocks.begin(), blocks.end());
    byUsers[users].buffers.push_back(buffer);
  }
  std::vector<SlotGroup> all;
  for (auto& [users, slots] : byUsers) {
    slots.users = users;
    slots.numSlots = plan::mostSlotsInUse(
        loop.order, static_cast<int64_t>(loop.blocks.size()), loop.times,
        users);
    // In message-driven execution it is not known yet which blocks run in
    // between; live ranges that reach into the next step cannot be stated in
    // tasks.
    if (slots.numSlots > 1 || loop.messages || isOfSeveralSteps(loop) ||
        !runsUndisturbed(loop, users))
      all.push_back(std::move(slots));
  }
  return all;
}

}  // namespace sbp
