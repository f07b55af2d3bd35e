// What one entry of a rank program does, as a straight list of tasks.
//
// In a rank program a layer is a function, and a layer that repeats is called
// again. The list is made by walking through the calls, with a stack and a map
// from the values of each call to buffers, so that the program text stays as
// small as it is: an op of a layer that is called 48 times stands in the list
// 48 times and in the program once.
//
// Values become buffers:
//
//   result of an op     a buffer of its own
//   nn.get              the parameter's buffer, or that of its value so many
//                       steps ago; nn.set is given that of the oldest
//   nn.reshape          the buffer of what is reshaped: elements lie densely,
//   in
//                       the same order
//   argument            the caller's buffer; of the entry, an input
//
// A send, or a receive, is two tasks: one starts it, another finishes it. The
// first makes a buffer of no bytes that the second takes, so that they stay in
// this order. A receive is finished where its tensor is made; a send behind all
// tasks of its loop, or of the entry: its receivers may be late.
//
// What nn.repeat calls stands in the list once, and runs several times. What
// the next time is given of it has a buffer, to which the last tasks copy it,
// if they are needed. The tasks of a pipeline stand there block by block
// (LoopBlocks.h).
//
// Where steps overlap, tasks before the loop are run for the step that its
// furthest forward is of; a send from there is finished right behind the loop.
// What is sent behind the loop is finished some steps later, when its receivers
// have been where it is wanted.
//
// Nothing says yet where a buffer lies (PlanBuffers.h), or which of them may be
// one (ShareBuffers.h).

#ifndef CODEGEN_PLAN_TASKLIST_H_
#define CODEGEN_PLAN_TASKLIST_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/stages/PipelineOrder.h"
#include "runtime/plan/Plan.h"

namespace sbp {

struct TaskBuffer {
  enum class Kind { Temporary, Input, Parameter };
  Kind kind = Kind::Temporary;
  int64_t bytes = 0;
  RankedTensorType type;
};

/// What a task does of a transfer, and with which buffer.
struct ListedTransferEnd {
  plan::TransferTask::Kind kind = plan::TransferTask::Kind::kStartSend;
  int64_t buffer = 0;  // an index of buffers
};

struct ListedTask {
  /// The op that it runs; none for a copy of `inputs[0]` to `outputs[0]`.
  Operation* op = nullptr;
  SmallVector<int64_t, 4> inputs, outputs;  // indices of buffers
  std::optional<ListedTransferEnd> end;     // of the transfer that op names
  KernelNeeds needs;
  /// So many ops it runs at once, `op` and others like it (JoinUpdates.h): the
  /// inputs of one stand behind those of the other, and so do the outputs.
  int64_t numOps = 1;
  int64_t call = 0;  // in which it stands: an index of calls
  /// Of a loop: the task of the pipeline that the op says, and its block.
  StringRef pipelineTask;
  int64_t block = -1;   // none
  int64_t bucket = -1;  // its number (FillBuckets.h); none
};

/// A function that runs: the entry, or what a call op calls.
struct ListedCall {
  mlir::func::FuncOp function;
  int64_t caller = -1;  // an index of calls; none of the entry
};

/// What the ranks of a group need to agree on which block of a loop runs next.
struct ListedMessages {
  std::vector<int64_t> urgencies;  // by block: lower first
  mlir::FlatSymbolRefAttr group;
  int64_t buffer = -1;  // of an f32 for each block, once it has one
};

/// Tasks that run several times: nn.repeat; or several of them, the pipes of a
/// schedule, one behind the other.
struct ListedLoop {
  int64_t first = 0, last = 0;  // the tasks [first, last)
  int64_t times = 1;
  int64_t number = -1;  // the buffer of the number of the time, if there is one
  /// Buffers that hold zeros before the first time, and then what the time
  /// before has written to them.
  SmallVector<int64_t> carried;
  SmallVector<int64_t> given;  // by carried: the buffer of what it is then
  /// By carried: for which times; none: all.
  std::vector<SmallVector<int64_t>> carriedFor;
  /// Names of the blocks in which the tasks stand, in order, and how these run;
  /// none: all tasks are one.
  std::vector<std::string> blocks;
  std::vector<plan::Loop::BlockRun> order;
  /// Where the schedule sums gradients over a group: by "1G", of stage 1, so
  /// many runs stand before it.
  llvm::StringMap<int64_t> reductions;
  /// Blocks that run once, for what all times have added up (EarlySums.h); the
  /// last ones.
  SmallVector<int64_t> once;
  std::optional<ListedMessages> messages;  // none: `order` decides
};

/// Whether a task of `loop` means what the loop has made in the end, though it
/// stands in it.
inline bool isOnce(const ListedLoop& loop, const ListedTask& task) {
  return llvm::is_contained(loop.once, task.block);
}

/// How often block `block` of `loop` runs; without blocks, all of it.
int64_t timesOf(const ListedLoop& loop, int64_t block);

/// `nn.set`: what the buffer of a parameter must hold in the end.
struct ParameterUpdate {
  int64_t parameter = 0;  // buffer of the parameter
  int64_t value = 0;      // buffer of its new value
};

/// A gradient that is there before the first update, and what it is for.
struct ListedGradient {
  Operation* optimizer = nullptr;   // the step that takes it,
  SmallVector<Operation*> gathers;  // after these have gathered it
  int64_t buffer = 0;               // where it is before
};

struct TaskList {
  /// The parameters' come first, in the order of the program, each with those
  /// of its earlier values behind it; then the entry's inputs.
  std::vector<TaskBuffer> buffers;
  std::vector<ListedTask> tasks;
  std::vector<ListedLoop> loops;  // apart, in order
  std::vector<ListedCall> calls;  // a caller before those that it calls
  std::vector<ParameterUpdate> updates;
  std::vector<int64_t> outputs;  // buffers of the entry's results
  /// Ranks of one group may have different lists, as they are in other groups
  /// too, or send to them.
  bool isOfSeveralGroups = false;

  // Where steps overlap:
  int64_t ahead = 0;  // tasks before the loop are of the step so much later
  int64_t lag = 0;    // plan::Entry::maxSkew; 0: they do not
  /// Finish what is sent behind the loop, for the step that is `lag` earlier.
  std::vector<ListedTask> late;

  // Set by orderUpdates().
  int64_t firstUpdate = 0;  // tasks before it change no parameter
  std::vector<ListedGradient> gradients;
};

/// How many values of each parameter the entries of `module`'s programs read,
/// by name: its newest, and earlier ones.
llvm::StringMap<int64_t> versionsOf(ModuleOp module);

/// The tasks of `entry`, a function of a rank.program. What kernels need says
/// `target`, asked once for every op. Fails with a diagnostic at a function
/// that calls itself or has no body, at an entry of too many ops, at a
/// parameter that is set twice or read after it was set, at one that a task
/// reads before it is there, where something is repeated that repeats or that
/// sets a parameter, where its number is asked for and nothing is repeated,
/// where a schedule cannot run it (LoopBlocks.h), and where the target has no
/// kernel.
///
/// `pipeline` is the order of the module's schedule, if it has one.
FailureOr<TaskList> listTasks(mlir::func::FuncOp entry,
                              const KernelTarget& target,
                              const std::optional<PipelineOrder>& pipeline);

/// The first task of `tasks` behind the bucket of task `index`, or behind that
/// task, if it is in none.
inline int64_t endOfBucket(llvm::ArrayRef<ListedTask> tasks, int64_t index) {
  const int64_t bucket = tasks[index++].bucket;
  const auto numTasks = static_cast<int64_t>(tasks.size());
  while (bucket >= 0 && index < numTasks && tasks[index].bucket == bucket)
    ++index;
  return index;
}

/// The buffers that tasks of `loop` read and no task of it has written before:
/// they must keep their values until it has run for the last time.
llvm::SmallSetVector<int64_t, 8> keptIn(const ListedLoop& loop,
                                        const TaskList& list);

/// Bytes of a tensor in a rank's memory. Fails with a diagnostic at `op` if a
/// plan has no such element type.
FailureOr<int64_t> bytesInMemory(Operation* op, RankedTensorType type);

}  // namespace sbp

#endif  // CODEGEN_PLAN_TASKLIST_H_
