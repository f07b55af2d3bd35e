// The plan: what the ranks of a compiled program do, as data.
//
// A compiled program is one ELF file with three parts: the runtime, the
// kernels, and a plan. The plan is a JSON text in the file's read-only data. It
// says which tensors the program has and how each lies on the mesh, and, for
// every rank, the table of tasks that make up each entry function: "run kernel
// 3 on these buffers", "all-reduce this buffer over the mesh axis gpu". The
// compiler writes the plan, the runtime reads it, and neither needs to know how
// the other works.
//
//   Plan
//     groups       groups of ranks, arranged in axes, on which tensors lie
//     kernels      functions that tasks run
//     parameters   tensors that live from step to step: weights and their state
//     entries      functions that can be called: named inputs, named outputs
//     programs     one per set of ranks that run the same code
//       entries      in the order of Plan::entries: tasks, buffer offsets
//
// Ranks that are in the same groups and have equal local shapes share a
// program. If every extent divides evenly and all ranks are in the same groups,
// there is exactly one program. In a model cut into stages each stage has a
// group, and a rank holds only the tensors of its own stages; it gets the
// tensors of other stages by transfers.
//
// Buffers. A rank owns one block of memory, its arena. The bytes [0,
// Program::persistentBytes) of the arena hold the parameters, which keep their
// values between calls. The rest, up to EntryProgram::arenaBytes, holds inputs,
// outputs and temporaries. A buffer is a byte offset into the arena, a multiple
// of kBufferAlignment; tensors are dense and row-major.
//
// Tasks run in the order of the table; in loops, in the order of Loop::order or
// by messages (Loop::Messages). Another order is right only if it keeps all
// dependencies through buffers, and the order of collectives on all their
// members, and if all tasks before EntryProgram::firstUpdate run before the
// others.
//
// Loops. The tasks of a loop run once per micro-batch of a step. In a pipeline
// they form blocks, such as the forward of one stage. A block may run for some
// of the micro-batches only; the loop lists in which order blocks run, and for
// which micro-batch.
//
// Buckets. Small collectives over the same ranks, such as the sums of the
// gradients of biases, run as one collective, because the time of each alone
// would be mostly latency.
//
// Overlapping steps. A rank goes through its table once per iteration. In a
// pipeline that is not flushed after each step, one iteration runs tasks of
// several steps. In iteration i most tasks run for step i, and others for a
// step i + k. The step offset k is positive for a later step and negative for
// an earlier one. Memory that several steps need at once (inputs, versions of
// weights) has several slots, which the steps use in turn (Rotation). Tasks of
// steps before the first and after the last step of the run are skipped.

#ifndef RUNTIME_PLAN_PLAN_H_
#define RUNTIME_PLAN_PLAN_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/plan/Values.h"

namespace sbp::plan {

/// Alignment of buffers in the arena, in bytes.
inline constexpr int64_t kBufferAlignment = 64;

/// Element types. An i1 takes one byte in memory, 0 or 1.
enum class ElementType { kF32, kBF16, kI32, kI64, kI1 };

/// Whether `type` is a floating-point type.
bool isFloat(ElementType type);

/// Returns the size of one element in bytes.
int64_t byteWidth(ElementType type);

/// The reduction that combines the terms of a partial tensor into its value.
enum class ReductionKind { kSum, kMax, kMin };

/// Stands for the buffer, or the value, of a tensor that the ranks of the
/// program do not have.
inline constexpr int64_t kAbsent = -1;

/// An axis of a group, with `size` coordinates.
struct Axis {
  std::string name;
  int64_t size = 1;
};

/// A group of ranks, arranged in axes. Positions in the group are numbered
/// row-major over the axes, the first axis outermost: on axes of the sizes 2
/// and 3, position 4 has the coordinates (1, 1).
struct Group {
  std::vector<Axis> axes;
  std::vector<int64_t> ranks =
      {};                 // by position; empty: rank p is at position p
  std::string name = {};  // for people

  Group() = default;
  /// A group of all ranks: rank p is at position p.
  Group(std::vector<Axis> axes) : axes(std::move(axes)) {}
  Group(std::initializer_list<Axis> axes) : axes(axes) {}

  /// Returns the number of ranks: the product of the axes' sizes.
  int64_t size() const;
  /// Returns the rank at `position`.
  int64_t rankAt(int64_t position) const {
    return ranks.empty() ? position : ranks[position];
  }
  /// Returns the position of `rank`, or -1 if it is not in the group.
  int64_t positionOf(int64_t rank) const;
  /// Whether `rank` is in the group.
  bool has(int64_t rank) const { return positionOf(rank) >= 0; }
};

/// The placement of a tensor on one axis of its group (dialects/sbp/Algebra.h
/// has the rules).
struct Component {
  enum class Kind { kBroadcast, kSplit, kPartial };
  Kind kind = Kind::kBroadcast;
  int64_t dim = 0;                                // for kSplit
  ReductionKind reduction = ReductionKind::kSum;  // for kPartial
};

/// A tensor as the user sees it: its whole shape, and one component per axis of
/// its group.
struct Tensor {
  std::string name;
  ElementType elementType = ElementType::kF32;
  std::vector<int64_t> shape;
  std::vector<Component> placement;

  /// For an input of integers: each element must be in [0, below), because it
  /// selects a row or a class. nullopt: no bound.
  std::optional<int64_t> below = std::nullopt;

  int64_t group = 0;  // an index into Plan::groups
};

/// The value of a parameter before the first step. Element i of the whole
/// tensor (row-major) depends only on the run's seed, the parameter's name and
/// i, so that every placement starts from the same numbers.
struct Initializer {
  enum class Kind { kConstant, kNormal, kUniform };
  Kind kind = Kind::kConstant;
  /// kConstant: `first`. kNormal: mean `first`, standard deviation `second`.
  /// kUniform: in [first, second).
  double first = 0;
  double second = 0;
};

/// A tensor that lives from step to step: a weight, its optimiser state, or an
/// older version of a weight.
struct Parameter {
  /// Says that the parameter holds the value that another parameter had `steps`
  /// steps ago. Both have the same type, shape and placement, and begin with
  /// the initial value of the other parameter.
  struct Earlier {
    int64_t parameter = 0;  // index into Plan::parameters, below the own index
    int64_t steps = 1;
  };

  Tensor tensor;
  Initializer initializer;
  bool isState = false;  // optimiser state or an older version, not a weight
  std::optional<Earlier> earlier = std::nullopt;
};

/// A tensor that goes from one group to another. Source and target have the
/// same type and shape, and neither is Partial. A receiving rank gets each part
/// of its box (Box.h) from a rank that holds the part.
struct Transfer {
  Tensor source;
  Tensor target;
  int64_t times = 1;  // runs per step: one per micro-batch that needs it
};

/// A function of the program that can be called, as the user sees it.
struct Entry {
  std::string name;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;

  /// The optimiser of an entry that trains, with its settings in the model,
  /// such as "adamw<weight_decay = 0.1>". Empty if unknown.
  std::string optimizer = {};

  /// Tensors that go from group to group when the entry runs.
  std::vector<Transfer> transfers = {};

  /// 0: steps do not overlap; each rank ends a step before it begins the next.
  /// Otherwise the number of steps by which ranks may be apart: at the end of
  /// iteration i a rank may wait until every rank has reported on step i -
  /// maxSkew. No rank's report on that step depends on what this rank does
  /// after the wait, so the wait causes no deadlock.
  int64_t maxSkew = 0;
};

/// The type and shape of a tensor in a rank's memory.
struct LocalType {
  ElementType elementType = ElementType::kF32;
  std::vector<int64_t> shape;
};

/// A function that a GPU runs in `blocks` blocks of `threads` threads each. Its
/// arguments are the addresses of the task's buffers.
struct Launch {
  std::string function;
  int64_t blocks = 1;
  int64_t threads = 1;
  int64_t sharedBytes = 0;  // shared memory per block that `function` declares
};

/// A kernel: its symbol, and the types of its operands and results.
struct Kernel {
  std::string name;  // name of its symbol
  std::string op;    // op that it computes: "nn.gelu"
  std::vector<LocalType> operands;
  std::vector<LocalType> results;
  int64_t scratchBytes = 0;  // size of its scratch memory; 0: it needs none
  /// On a GPU, the functions that run one after the other. Empty on a CPU,
  /// where the kernel is one function.
  std::vector<Launch> launches = {};
};

/// Runs kernel `kernel` (an index into Plan::kernels). `buffers` are those of
/// its operands, then those of its results, then its scratch memory, if the
/// kernel needs any. A result may have the same buffer as an operand.
struct KernelTask {
  int64_t kernel = 0;
  std::vector<int64_t> buffers;
  int64_t call = 0;  // index into EntryProgram::calls
};

/// A collective, or a local step of a boxing that depends on the rank's
/// coordinates. The members are the ranks of the group that have the
/// coordinates of the rank that runs the task, except on `axes`. They are
/// numbered row-major over `axes`, the first axis outermost.
///
/// A dimension that is split over `axes` is cut along the first axis, each part
/// along the second, and so on, as in Box.h. `part [me]` is the part of the
/// member that runs the task.
///
///   kAllReduce      out = reduction of all members' `in`
///   kAllGather      out = all members' `in`, concatenated along `dim`
///   kReduceScatter  out = part [me] along `dim` of the reduction of all
///                   members' `in`
///   kAllToAll       `in` is whole along splitDim and a part along dim;
///                   `out` is a part along splitDim and whole along dim
///   kHaloExchange   out = part [me] of `extent` along `dim`, with the `low`
///                   elements before it and the `high` elements after it;
///                   beyond the ends, the reduction's identity
///   kSlice          out = part [me] along `dim` of `in`
///   kPad            out = `in` at part [me] along `dim`, elsewhere the
///                   reduction's identity
///   kToPartial      out = `in` on member 0, on others the reduction's identity
///   kOffset         out (an i64 scalar) = the begin of part [me] of `extent`
struct CollectiveTask {
  enum class Kind {
    kAllReduce,
    kAllGather,
    kReduceScatter,
    kAllToAll,
    kHaloExchange,
    kSlice,
    kPad,
    kToPartial,
    kOffset,
  };
  Kind kind = Kind::kAllReduce;
  std::vector<int64_t> axes;  // of the group, ascending
  ElementType elementType = ElementType::kF32;
  ReductionKind reduction = ReductionKind::kSum;
  // For the kinds that name them above:
  int64_t dim = 0;
  int64_t splitDim = 0;
  int64_t extent = 0;
  int64_t low = 0;
  int64_t high = 0;
  std::vector<int64_t> inShape;   // local shape
  std::vector<int64_t> outShape;  // local shape
  int64_t in = 0;                 // buffer; kOffset reads none
  // Buffer. A kAllReduce or kToPartial may have out == in, also on some members
  // only. Otherwise the two buffers do not overlap.
  int64_t out = 0;
  int64_t call = 0;   // index into EntryProgram::calls
  int64_t group = 0;  // index into Plan::groups
  /// Number of the bucket, or -1 for a collective outside buckets. Consecutive
  /// collectives with the same bucket number run as one collective, and share
  /// messages: between hosts, a member sends each other member at most one
  /// message per phase (communication/Collective.h). The collectives of a
  /// bucket have the same kind, which must not be local (isLocal), and the same
  /// axes, group, element type and reduction. None reads or writes what another
  /// one writes.
  int64_t bucket = -1;
};

/// Largest number of collectives in a bucket.
inline constexpr int64_t kMostInBucket = 1024;

/// Whether collectives of `kind` involve no other rank: their results depend
/// only on `in` and the rank's own coordinates.
bool isLocal(CollectiveTask::Kind kind);

/// A start or finish of one end of a transfer: of the send or of the receive. A
/// start never blocks. The sent tensor must keep its value from the start to
/// the finish of the send. The received tensor is in its buffer after the
/// finish of the receive; nothing else may use that buffer between start and
/// finish. A transfer runs at most once per micro-batch: a task in a loop
/// belongs to the run for the current micro-batch, a task outside loops to the
/// run for micro-batch 0.
struct TransferTask {
  enum class Kind { kStartSend, kFinishSend, kStartReceive, kFinishReceive };
  Kind kind = Kind::kStartSend;
  int64_t transfer = 0;  // index into Entry::transfers
  int64_t buffer = 0;
  int64_t call = 0;  // index into EntryProgram::calls
};

/// Whether `kind` is a finish.
inline bool isFinish(TransferTask::Kind kind) {
  return kind == TransferTask::Kind::kFinishSend ||
         kind == TransferTask::Kind::kFinishReceive;
}

using Task = std::variant<KernelTask, CollectiveTask, TransferTask>;

/// Tasks [first, last), which run for the micro-batches [0, numMicroBatches)
/// before task `last` runs. Without blocks, all tasks run for one micro-batch
/// after the other. With blocks, `order` lists the runs of the blocks. A block
/// may run for some of the micro-batches only (Block::numRuns, Block::isOnce).
struct Loop {
  /// A buffer that keeps its content from micro-batch to micro-batch, such as
  /// the sum of a gradient. The executor fills it with zeros before the loop.
  struct Carried {
    int64_t buffer = 0;
    int64_t bytes = 0;
  };

  /// Tasks [first, last) that run without interruption for one micro-batch.
  struct Block {
    std::string name;  // for people: "1F" is the forward of stage 1
    int64_t first = 0;
    int64_t last = 0;
    int64_t numRuns = 1;  // number of micro-batches for which it runs
    /// Whether the block runs once per step instead of once per micro-batch,
    /// because it uses what other blocks have summed over all micro-batches.
    /// Its run in `order` is for micro-batch 0.
    bool isOnce = false;
    std::string title = "";  // name in words: "stage 1, forward"
  };

  /// One run of a block: in iteration i it is for micro-batch `microBatch` of
  /// step i + stepOffset.
  struct BlockRun {
    int64_t block = 0;  // index into `blocks`
    int64_t microBatch = 0;
    int64_t stepOffset = 0;
  };

  /// Memory that carries data from block to block while blocks of other
  /// micro-batches run in between: `count` slots of `bytes` bytes, the first at
  /// `buffer`. A micro-batch takes the first free slot when the first of the
  /// blocks `users` runs for it, and keeps the slot until all of them have run
  /// for it. Tasks name buffers in the first slot, and access the slot of their
  /// micro-batch.
  struct Slots {
    int64_t buffer = 0;
    int64_t bytes = 0;
    int64_t count = 1;
    std::vector<int64_t> users;  // indices of blocks, ascending
  };

  /// Message-driven execution (runtime/execute/MessageOrder.h): the most urgent
  /// block that can run is run next. `order` then decides two things only:
  ///
  /// - the order in which a block runs for its micro-batches;
  /// - which blocks wait for others. Block B waits for block A, for the same
  ///   micro-batch, if A precedes B in `order` for every micro-batch for which
  ///   both run. A block that runs once waits for all runs of the blocks whose
  ///   last run precedes it; only another block that runs once waits for it.
  struct Messages {
    /// Urgency of each block; a smaller number is more urgent.
    std::vector<int64_t> urgencies;
    /// Collective by which the ranks that run these blocks together agree on
    /// which blocks all of them can run: an in-place all-reduce by kMin of one
    /// f32 per block.
    CollectiveTask agreement;
  };

  int64_t first = 0;
  int64_t last = 0;
  int64_t numMicroBatches = 1;
  std::vector<Carried> carried;

  /// Buffer with the index of the current micro-batch, as an i64; or kAbsent.
  int64_t microBatchBuffer = kAbsent;

  /// Blocks that cover all tasks, in order; empty: all tasks are one block.
  std::vector<Block> blocks = {};
  /// All runs of the blocks, in their order, at most one per block and
  /// micro-batch. Empty only if there are no blocks.
  std::vector<BlockRun> order = {};
  std::vector<Slots> slots = {};                    // do not overlap
  std::optional<Messages> messages = std::nullopt;  // none: `order` decides
};

/// A gradient that updates a parameter: the part on one rank, of a
/// floating-point type.
struct Gradient {
  ElementType elementType = ElementType::kF32;
  int64_t buffer = 0;
  int64_t numElements = 0;
  /// Axes of the group, ascending, along which ranks hold equal copies of the
  /// gradient. Along other axes each rank holds elements of its own.
  std::vector<int64_t> copyAxes;
  int64_t group = 0;  // index into Plan::groups
};

/// A call of a function of the model: the entry, or a function that it calls.
/// Calls only tell people which layer a task comes from; nothing computed
/// depends on them.
struct Call {
  std::string function;
  int64_t caller = -1;  // smaller index into EntryProgram::calls; none: -1
};

/// Memory whose slots the steps use in turn: `count` consecutive slots of
/// `bytes` bytes, the first at `buffer`. The data of step s lie in slot s mod
/// count. A task names a buffer in slot k to mean the data of k steps ago: in
/// step s it accesses slot (s - k) mod count. The first step is 0.
struct Rotation {
  int64_t buffer = 0;
  int64_t bytes = 0;
  int64_t count = 1;
};

/// An entry function as one program runs it.
struct EntryProgram {
  int64_t arenaBytes = 0;
  std::vector<int64_t> inputs;   // buffer of each of Entry::inputs, or kAbsent
  std::vector<int64_t> outputs;  // buffer of each of Entry::outputs, or kAbsent
  std::vector<Task> tasks;
  /// Index of the first task that may change a parameter; the number of tasks
  /// if none does. After all tasks before it, all of `gradients` are complete,
  /// and all outputs that do not depend on an update.
  int64_t firstUpdate = 0;
  std::vector<Gradient> gradients;
  std::vector<Call> calls;
  std::vector<Loop> loops = {};          // do not overlap, ascending
  std::vector<Rotation> rotations = {};  // do not overlap, ascending

  // The next two fields have their defaults unless steps overlap
  // (Entry::maxSkew > 0).

  /// Step offset of the tasks before the first loop: iteration i runs them for
  /// step i + headStepOffset.
  int64_t headStepOffset = 0;
  /// Index of the first late task, or -1 if there is none. Late tasks stand
  /// after all updates. Iteration i runs them for step i - Entry::maxSkew: they
  /// finish the sends of that step.
  int64_t firstLate = -1;

  EntryValues values = {};  // unknown in a plan that was read
};

/// Returns for each task of `program` the loop in which it stands, an index
/// into EntryProgram::loops; -1 outside loops.
std::vector<int64_t> loopsOfTasks(const EntryProgram& program);

/// The program of a set of ranks that all run the same tasks.
struct Program {
  std::vector<int64_t> ranks;  // ascending
  int64_t persistentBytes = 0;
  std::vector<int64_t> parameters;  // buffer of each of Plan::parameters, or
                                    // kAbsent
  std::vector<EntryProgram> entries;
};

/// The plan of all ranks; see above.
struct Plan {
  std::string model;  // the name of the model, for people
  /// The version of the compiler that made the plan and the kernels; empty if
  /// unknown.
  std::string compiler;
  std::vector<Group> groups =
      std::vector<Group>(1);  // the first one has all ranks
  /// In the order of sbp_kernels (runtime/Abi.h).
  std::vector<Kernel> kernels;
  std::vector<Parameter> parameters;
  std::vector<Entry> entries;
  std::vector<Program> programs;

  /// Returns the number of ranks of the program.
  int64_t numRanks() const;

  /// Returns the group on which `tensor` lies.
  const Group& groupOf(const Tensor& tensor) const {
    return groups[tensor.group];
  }
};

/// Writes a plan as indented JSON. EntryProgram::values are left out.
std::string toJson(const Plan& plan);

/// Reads what toJson wrote. Fails if the text is not a plan, naming the field,
/// or if check() does (Check.h), because the plan contradicts itself.
absl::StatusOr<Plan> fromJson(std::string_view text);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_PLAN_H_
