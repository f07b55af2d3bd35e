// The straight list of tasks that one entry of a rank program runs.
//
// In a rank program a layer is a function, and a layer that repeats is called
// several times. The list is made by walking through the calls with a stack and
// a map from the values of each call to buffers. So the program text stays
// small: an op of a layer that is called 48 times stands 48 times in the list
// and once in the program.
//
// Values become buffers:
//
//   result of an op     a buffer of its own
//   nn.get              the buffer of the parameter, or of its value some steps
//                       ago; nn.set writes the buffer of the oldest value
//   nn.reshape          the buffer of the operand: elements are stored densely,
//                       in the same order
//   argument            the caller's buffer; for the entry, an input
//
// A send, or a receive, becomes two tasks: one starts it and another finishes
// it. The starting task writes a token, a buffer of zero bytes, that the
// finishing task reads, so the two stay in this order. A receive is finished
// right after it is started, where its tensor is made; a send is finished after
// all tasks of its loop, or of the entry, because its receivers may be late.
//
// The function that nn.repeat calls stands in the list once and runs several
// times. Each tensor that it carries to its next iteration has a buffer, to
// which its last tasks copy the new value unless sharing buffers makes the copy
// needless. Where a schedule orders the tasks of a loop, they are cut into
// blocks afterwards (LoopBlocks.h).
//
// Where steps overlap, the tasks before the loop run for the step of the loop's
// furthest forward; their sends are finished right after the loop. Sends from
// after the loop are finished some steps later, once their receivers have
// reached them.
//
// The list does not say yet where a buffer lies (PlanBuffers.h), or which
// buffers share memory (ShareBuffers.h).

#ifndef CODEGEN_PLAN_TASKLIST_H_
#define CODEGEN_PLAN_TASKLIST_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/plan/KernelTarget.h"
#include "codegen/plan/ListedBlock.h"
#include "codegen/plan/ListedPipe.h"
#include "dialects/sbp/StageTask.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/stages/PipelineOrder.h"
#include "runtime/plan/Plan.h"

namespace sbp {

/// A tensor in a rank's memory that tasks read or write.
struct TaskBuffer {
  enum class Kind { Temporary, Input, Parameter };
  Kind kind = Kind::Temporary;
  int64_t bytes = 0;
  RankedTensorType type;
  /// The tensor that is made in the buffer; null for parameters and for buffers
  /// that hold no tensor of the program.
  Value value;
  int64_t stepsAgo = 0;  // age of the value that a parameter's buffer holds
};

/// The end of a transfer that a task starts or finishes, and its buffer.
struct ListedTransferEnd {
  plan::TransferTask::Kind kind = plan::TransferTask::Kind::kStartSend;
  int64_t buffer = 0;  // an index into TaskList::buffers
};

/// One task: a kernel, a collective, one end of a transfer, or a copy.
struct ListedTask {
  /// The op that the task runs; null for a copy of `inputs[0]` to `outputs[0]`.
  Operation* op = nullptr;
  /// Names the task in all orders of the list: its index in the first one.
  int64_t number = 0;
  SmallVector<int64_t, 4> inputs, outputs;  // indices into TaskList::buffers
  std::optional<ListedTransferEnd> end;     // of the transfer that `op` names
  KernelNeeds needs;
  /// Number of ops that the task runs at once: `op` and others like it
  /// (JoinUpdates.h). Inputs hold the operands of the first op, then those of
  /// the second, and so on; outputs likewise.
  int64_t numOps = 1;
  int64_t call = 0;  // call that the op belongs to: an index into calls
  /// The task of the pipeline that the op belongs to, and the block; in loops.
  std::optional<StageTask> pipelineTask;
  int64_t block = -1;   // -1: none
  int64_t bucket = -1;  // number of its bucket (FillBuckets.h); -1: none
};

/// One call of a function: the entry, or the callee of a call op.
struct ListedCall {
  mlir::func::FuncOp function;
  int64_t caller = -1;  // an index into calls; -1 for the entry
};

/// Data by which the ranks of a group agree on the block of a loop that runs
/// next.
struct ListedMessages {
  std::vector<int64_t> urgencies;  // by block: the lowest runs first
  mlir::FlatSymbolRefAttr group;
  int64_t buffer = -1;  // holds an f32 per block; -1 until there is one
};

/// Tasks that run several times: one nn.repeat, or the nn.repeats of a
/// schedule's pipes, one after the other in the list.
struct ListedLoop {
  int64_t first = 0, last = 0;  // tasks [first, last)
  int64_t times = 1;
  std::vector<ListedPipe> pipes;  // one per nn.repeat
  int64_t iterationBuffer = -1;   // holds the iteration's index; -1: none
  /// Buffers that hold zeros before the first iteration, and after each
  /// iteration the values that the iteration has written.
  SmallVector<int64_t> carried;
  SmallVector<int64_t> given;  // by `carried`: the buffer of the new value
  /// Iterations that carry each of `carried`; empty: all.
  std::vector<SmallVector<int64_t>> carriedFor;
  /// The blocks that the tasks stand in, in the order of the list, and the
  /// order in which the blocks run; empty: all tasks are one block.
  std::vector<ListedBlock> blocks;
  std::vector<plan::Loop::BlockRun> order;
  /// Number of runs of `order` before the schedule's sum of a stage's gradients
  /// over a group, by stage.
  std::map<int64_t, int64_t> reductions;
  /// Blocks that run once, on the sums over all iterations (EarlySums.h); they
  /// are the last blocks.
  SmallVector<int64_t> once;
  std::optional<ListedMessages> messages;  // none: `order` decides which runs
};

/// Whether `task` stands in `loop` but runs once, on the final values of the
/// buffers that the loop carries.
inline bool isOnce(const ListedLoop& loop, const ListedTask& task) {
  return llvm::is_contained(loop.once, task.block);
}

/// Number of times that block `block` of `loop` runs; for a loop without
/// blocks, its number of iterations.
int64_t timesOf(const ListedLoop& loop, int64_t block);

/// An nn.set: the value that the buffer of a parameter must hold at the end.
struct ParameterUpdate {
  int64_t parameter = 0;  // buffer of the parameter
  int64_t value = 0;      // buffer of its new value
};

/// A gradient that is complete before the first update, and the optimiser op
/// that takes it.
struct ListedGradient {
  Operation* optimizer = nullptr;   // takes the gradient
  SmallVector<Operation*> gathers;  // all-gathers between the two
  int64_t buffer = 0;               // holds it before the gathers
};

/// The tasks of an entry with everything that they refer to by index.
struct TaskList {
  /// Buffers of the parameters come first, in the order of the program, each
  /// followed by the buffers of its earlier values; then the entry's inputs;
  /// then all others.
  std::vector<TaskBuffer> buffers;
  std::vector<ListedTask> tasks;
  int64_t nextNumber = 0;         // ListedTask::number of the next new task
  std::vector<ListedLoop> loops;  // disjoint, in order
  std::vector<ListedCall> calls;  // a caller before its callees
  std::vector<ParameterUpdate> updates;
  std::vector<int64_t> outputs;  // buffers of the entry's results
  /// Whether the program has transfers between groups. Ranks of one group may
  /// then have different lists, since each may be in other groups too, or send
  /// to them.
  bool isOfSeveralGroups = false;

  // Where steps overlap:
  /// Step offset of the tasks before the loop (OverlapSteps.h).
  int64_t stepOffset = 0;
  int64_t lag = 0;  // plan::Entry::maxSkew; 0: steps do not overlap
  /// Tasks that finish the sends from after the loop, of the step `lag` steps
  /// earlier.
  std::vector<ListedTask> late;

  // Set by orderUpdates():
  int64_t firstUpdate = -1;  // tasks before it change no parameter
  std::vector<ListedGradient> gradients;
};

/// Returns the number of values of each parameter that the entries of `module`
/// read, by name: the newest value, and each earlier one.
llvm::StringMap<int64_t> versionsOf(ModuleOp module);

/// Lists the tasks of `entry`, a function of a rank.program. `target` is asked
/// once per op for the memory that its kernel needs. `pipeline` is the order of
/// the schedule for `entry`, if the module has one.
///
/// Fails with a diagnostic at:
/// - a function that calls itself, has no body or has several blocks;
/// - an entry of too many ops;
/// - a parameter that is set twice, or read after it was set;
/// - an nn.repeat in a repeated function, or an nn.set there;
/// - an nn.repetition outside of repeated functions;
/// - a loop whose steps overlap, but that stands after another loop;
/// - an op for which the target has no kernel.
FailureOr<TaskList> listTasks(mlir::func::FuncOp entry,
                              const KernelTarget& target,
                              const std::optional<PipelineOrder>& pipeline);

/// Returns the index of the first task after the bucket of task `index`, or
/// after that task if it is in no bucket.
inline int64_t endOfBucket(llvm::ArrayRef<ListedTask> tasks, int64_t index) {
  const int64_t bucket = tasks[index++].bucket;
  const auto numTasks = static_cast<int64_t>(tasks.size());
  while (bucket >= 0 && index < numTasks && tasks[index].bucket == bucket)
    ++index;
  return index;
}

/// Returns the buffers that a task of `loop` reads before a task of the loop
/// has written them. They must keep their values until the loop has ended.
llvm::SmallSetVector<int64_t, 8> keptIn(const ListedLoop& loop,
                                        const TaskList& list);

/// Returns the bytes of a tensor in a rank's memory. Fails with a diagnostic at
/// `op` if plans do not have its element type.
FailureOr<int64_t> bytesInMemory(Operation* op, RankedTensorType type);

}  // namespace sbp

#endif  // CODEGEN_PLAN_TASKLIST_H_
