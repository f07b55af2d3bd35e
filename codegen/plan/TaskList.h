// The flat list of tasks that one entry of a rank program runs.
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
//                       ago
//   nn.repetition       a buffer of the loop for the iteration's index
//   nn.reshape          the buffer of the operand: elements are stored densely,
//                       in the same order
//   argument            the caller's buffer; for the entry, an input
//
// nn.set is no task. It is noted as an update of the buffer that holds the
// parameter's oldest value.
//
// A send becomes two tasks, one that starts it and one that finishes it; so
// does a receive. The starting task writes a token, a buffer of zero bytes,
// that the finishing task reads, so the two stay in this order. A receive is
// finished right after it is started. A send is finished after all tasks of its
// nn.repeat, or else of the entry, because its receivers may be late.
//
// The tasks of the function that nn.repeat calls stand in the list once and run
// several times: a loop. Each tensor that the loop carries to its next
// iteration has a buffer. The last tasks of the loop copy the new values to
// these buffers, unless sharing buffers makes a copy needless. Where a schedule
// orders the tasks of a loop, they are cut into blocks afterwards
// (LoopBlocks.h).
//
// Where training steps overlap, the tasks before the loop run some steps ahead
// (OverlapSteps.h), and the sends that they start are finished right after the
// loop. Sends that tasks after the loop start are finished some steps later,
// once the receivers have reached these sends.
//
// The list does not say where a buffer lies (PlanBuffers.h) or which buffers
// share memory (ShareBuffers.h).

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
  /// The tensor of the program that the buffer holds, made or copied there;
  /// null for parameters, for tokens, and for other buffers that hold none.
  Value value;
  int64_t stepsAgo = 0;  // age in steps of the value in a parameter's buffer
};

/// One end of a transfer: a task starts or finishes the send or the receive of
/// the tensor in `buffer`.
struct ListedTransferEnd {
  plan::TransferTask::Kind kind = plan::TransferTask::Kind::kStartSend;
  int64_t buffer = 0;  // an index into TaskList::buffers
};

/// One task: a kernel, a collective, one end of a transfer, or a copy.
struct ListedTask {
  /// The op that the task runs; null for a copy of `inputs[0]` to `outputs[0]`.
  Operation* op = nullptr;
  /// Identifies the task in all orders of the list. It is the index of the task
  /// in the list that listTasks() makes; a task that is added later gets the
  /// next free number.
  int64_t number = 0;
  SmallVector<int64_t, 4> inputs, outputs;  // indices into TaskList::buffers
  std::optional<ListedTransferEnd> end;     // of a send or a receive
  KernelNeeds needs;                        // of a kernel or a collective
  /// Further ops like `op` that the task runs at once with it (JoinUpdates.h).
  /// Inputs hold the operands of `op`, then those of the next op, and so on;
  /// outputs likewise.
  SmallVector<Operation*, 0> others;
  int64_t call = 0;  // call that the op belongs to, index into TaskList::calls
  /// The task of the pipeline that the op belongs to; nullopt outside
  /// pipelines.
  std::optional<StageTask> pipelineTask;
  int64_t block = -1;   // index into ListedLoop::blocks; -1: none
  int64_t bucket = -1;  // number of its bucket (FillBuckets.h); -1: none

  /// Returns the number of ops that the task runs at once.
  int64_t numOps() const { return 1 + static_cast<int64_t>(others.size()); }
};

/// One call of a function: the entry, or the callee of a call op.
struct ListedCall {
  mlir::func::FuncOp function;
  int64_t caller = -1;      // an index into TaskList::calls; -1 for the entry
  Operation* op = nullptr;  // the call op; null for the entry
};

/// Message-driven execution of a loop (plan::Loop::Messages): the ranks of a
/// group agree on the block that they run next.
struct ListedMessages {
  std::vector<int64_t> urgencies;  // by block: the lowest number runs first
  mlir::FlatSymbolRefAttr group;   // mesh of these ranks
  int64_t buffer = -1;  // holds an f32 per block; -1 until there is one
};

/// Tasks that run several times: one nn.repeat, or the nn.repeats of a
/// schedule's pipes, one after the other in the list.
struct ListedLoop {
  int64_t first = 0, last = 0;    // tasks [first, last)
  int64_t times = 1;              // number of iterations
  std::vector<ListedPipe> pipes;  // one per nn.repeat
  int64_t iterationBuffer = -1;   // holds the iteration's index; -1: none
  /// Buffers that hold zeros before the first iteration, and after each
  /// iteration the values that the iteration has written.
  SmallVector<int64_t> carried;
  /// Buffers with the values that an iteration has written, by `carried`.
  SmallVector<int64_t> nextValues;
  /// Iterations that carry a buffer's value on, by `carried`. An empty list
  /// stands for all iterations.
  std::vector<SmallVector<int64_t>> carryingIterations;
  /// The blocks that the tasks stand in, in the order of the list, and the runs
  /// of the blocks in their order. Both empty: all tasks run in the order of
  /// the list, once per iteration.
  std::vector<ListedBlock> blocks;
  std::vector<plan::Loop::BlockRun> order;
  /// Number of runs in `order` before the sums of gradients of a stage are
  /// reduced over a group, by stage. Has only the stages for which the schedule
  /// gives a time.
  std::map<int64_t, int64_t> reductions;
  /// Blocks that run once, on the sums over all iterations (EarlySums.h); they
  /// are the last blocks.
  SmallVector<int64_t> onceBlocks;
  /// Chooses the block that runs next; if nullopt, `order` does.
  std::optional<ListedMessages> messages;
};

/// Whether `task`, which stands in `loop`, runs once, on the final values of
/// the buffers that the loop carries.
inline bool runsOnce(const ListedLoop& loop, const ListedTask& task) {
  return llvm::is_contained(loop.onceBlocks, task.block);
}

/// Returns the number of runs of block `block` of `loop`; for a loop without
/// blocks, its number of iterations.
int64_t numRunsOf(const ListedLoop& loop, int64_t block);

/// An nn.set: the value that a buffer of a parameter must hold at the end.
struct ParameterUpdate {
  int64_t parameter = 0;  // buffer of the parameter's oldest value
  int64_t value = 0;      // buffer of its new value
};

/// A gradient that is complete before the first update.
struct ListedGradient {
  Operation* optimizer = nullptr;   // optimiser op that takes the gradient
  SmallVector<Operation*> gathers;  // all-gathers before the op, last first
  int64_t buffer = 0;               // holds the gradient before the gathers
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
  std::vector<ParameterUpdate> updates;  // empty after shareBuffers()
  std::vector<int64_t> outputs;          // buffers of the entry's results
  /// Whether the module has transfers between groups. Ranks of one group may
  /// then have different lists, since each rank may also be in other groups or
  /// exchange tensors with them.
  bool isOfSeveralGroups = false;

  // Where steps overlap:
  /// Step offset of the tasks before the loop (OverlapSteps.h).
  int64_t stepOffset = 0;
  int64_t maxSkew = 0;  // as plan::Entry::maxSkew; 0: steps do not overlap
  /// Tasks that finish the sends that the tasks after the loop have started
  /// `maxSkew` steps earlier. Empty after findLiveRanges().
  std::vector<ListedTask> lateFinishes;

  // Set by orderUpdates():
  int64_t firstUpdate = -1;  // tasks before it change no parameter
  std::vector<ListedGradient> gradients;
};

/// Numbers of values that are kept of each parameter, by the name of the
/// parameter.
using ParameterVersions = llvm::StringMap<int64_t>;

/// Returns the numbers for `module`: the newest value and the earlier ones,
/// back to the oldest that an nn.get reads. A parameter that no nn.get reads is
/// missing.
ParameterVersions versionsOf(ModuleOp module);

/// Lists the tasks of `entry`, a function of a rank.program. `target` is asked
/// once per op for the needs of its kernel. `pipeline` is the order of the
/// schedule for `entry`, if the module has a schedule. `versions` are those of
/// the module.
///
/// Fails with a diagnostic at:
/// - a function that calls itself, has no body or has several blocks;
/// - an entry of too many ops;
/// - a parameter that is set twice, or read after it was set;
/// - an nn.repeat in a repeated function, or an nn.set there;
/// - an nn.repetition outside of repeated functions;
/// - a loop whose steps overlap, but that stands after another loop;
/// - an op for which the target has no kernel;
/// - a tensor whose element type plans do not have.
FailureOr<TaskList> listTasks(mlir::func::FuncOp entry,
                              const KernelTarget& target,
                              const ParameterVersions& versions,
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

/// Returns the buffers that must keep their values until `loop` has ended: the
/// buffers that it carries, and the buffers that a task of the loop reads
/// although no earlier task of the loop, in list order, writes them.
llvm::SmallSetVector<int64_t, 8> keptIn(const ListedLoop& loop,
                                        const TaskList& list);

/// Returns the bytes of a tensor in a rank's memory. Fails with a diagnostic at
/// `op` if plans do not have its element type.
FailureOr<int64_t> bytesInMemory(Operation* op, RankedTensorType type);

}  // namespace sbp

#endif  // CODEGEN_PLAN_TASKLIST_H_
