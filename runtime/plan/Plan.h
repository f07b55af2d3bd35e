// The plan: what the ranks of a compiled program do, as data.
//
// A compiled program is one ELF file with three parts: the runtime, the
// kernels, and a plan. The plan is a JSON text in the file's read-only data. It
// says what tensors the program knows and how each lies on the mesh, and, for
// every rank, the table of tasks that make up each entry function: "run kernel
// 3 on these buffers", "all-reduce this buffer over the mesh axis gpu". The
// compiler writes it, the runtime reads it, and neither needs to know how the
// other works.
//
//   Plan
//     groups       of ranks, arranged in axes: what tensors lie on
//     parameters   tensors that live from step to step: weights and their state
//     entries      what can be called: named inputs, named outputs
//     programs     one per set of ranks that run the same code
//       entries      in the order of Plan::entries: tasks, buffer offsets
//
// Ranks whose local shapes are equal share a program; when every extent
// divides, and all ranks are in the same groups, there is exactly one. Of a
// model in stages each stage has a group, and a rank has the tensors of its
// own: what another stage makes it gets by a transfer.
//
// Buffers. A rank owns one arena. [0, persistentBytes) holds the parameters and
// survives between calls; what follows, up to arenaBytes of the entry, holds
// its inputs, outputs and temporaries. A buffer is a byte offset into the
// arena, a multiple of kBufferAlignment; tensors are dense and row-major.
//
// Tasks run in the order of the table, or in any order that keeps, for every
// buffer, the order of its writes with respect to its reads and writes. Those
// of a loop run several times: a batch in micro-batches goes through one table.
// Of a pipeline the tasks of a loop make up blocks, such as the forward of a
// stage, and the loop says in which order blocks run, and for which
// micro-batch.
//
// Small collectives over the same ranks, such as those that sum up the
// gradients of biases, travel together: each by itself would take little but
// latency.
//
// Without a flush steps overlap: while a rank runs a step, it runs blocks of
// later ones too, which are `ahead`, and of earlier ones. What has to be there
// for several steps at once has slots that go round with them (Rotation):
// inputs, versions of weights. Runs that are of no step, before the first and
// behind the last, are left out.

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

inline constexpr int64_t kBufferAlignment = 64;

/// Element types, with their size in memory; i1 takes one byte, 0 or 1.
enum class ElementType { kF32, kBF16, kI32, kI64, kI1 };

/// Whether they are floats.
bool isFloat(ElementType type);

/// Bytes of one element.
int64_t byteWidth(ElementType type);

/// How the terms of a partial tensor combine into its value.
enum class ReductionKind { kSum, kMax, kMin };

/// In the place of a buffer's offset: the ranks of the program do not have it.
inline constexpr int64_t kAbsent = -1;

/// One axis of a group. `size` ranks.
struct Axis {
  std::string name;
  int64_t size = 1;
};

/// Some ranks, arranged in axes. Place p has the coordinates that are p's
/// digits, row-major over the axes, major first.
struct Group {
  std::vector<Axis> axes;
  std::vector<int64_t> ranks = {};  // by place; empty: rank p at place p
  std::string name = {};            // for people

  Group() = default;
  /// All ranks, in their order.
  Group(std::vector<Axis> axes) : axes(std::move(axes)) {}
  Group(std::initializer_list<Axis> axes) : axes(axes) {}

  /// Product of the axes' sizes.
  int64_t size() const;
  int64_t rankAt(int64_t place) const {
    return ranks.empty() ? place : ranks[place];
  }
  /// Where `rank` stands, or -1.
  int64_t placeOf(int64_t rank) const;
  bool has(int64_t rank) const { return placeOf(rank) >= 0; }
};

/// How a tensor lies on one axis (dialects/sbp/Algebra.h has the algebra).
struct Component {
  enum class Kind { kBroadcast, kSplit, kPartial };
  Kind kind = Kind::kBroadcast;
  int64_t dim = 0;                                // of kSplit
  ReductionKind reduction = ReductionKind::kSum;  // of kPartial
};

/// A tensor as the user sees it: whole shape, and one component per axis of its
/// group.
struct Tensor {
  std::string name;
  ElementType elementType = ElementType::kF32;
  std::vector<int64_t> shape;
  std::vector<Component> placement;

  /// Of an input of integers: each must be at least 0 and below this, as it
  /// chooses one of so many things. Nothing: any will do.
  std::optional<int64_t> below = std::nullopt;

  int64_t group = 0;  // an index into Plan::groups
};

/// The value of a parameter before the first step. Element i of the whole
/// tensor (row-major) depends on the run's seed, the parameter's name and i
/// alone, so that every placement starts from the same numbers.
struct Initializer {
  enum class Kind { kConstant, kNormal, kUniform };
  Kind kind = Kind::kConstant;
  double first = 0;   // the constant; mean; lower bound
  double second = 0;  // -; standard deviation; upper bound (exclusive)
};

struct Parameter {
  /// The value of another parameter some steps ago. It begins as that does, and
  /// lies as that does.
  struct Earlier {
    int64_t parameter = 0;  // an earlier one of Plan::parameters
    int64_t steps = 1;
  };

  Tensor tensor;
  Initializer initializer;
  bool isState = false;  // optimiser state, not a weight; or `earlier`
  std::optional<Earlier> earlier = std::nullopt;
};

/// A tensor that goes from one group to another, as it lies on each: of one
/// type and shape, Partial on neither. A rank that receives takes its part from
/// ranks that send.
struct Transfer {
  Tensor source;
  Tensor target;
  int64_t times = 1;  // how often it goes there in one run of the entry
};

struct Entry {
  std::string name;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;

  /// Of an entry that trains: the optimiser whose step it takes, with what its
  /// model sets, such as "adamw<weight_decay = 0.1>". Empty: none is known.
  std::string optimizer = {};

  std::vector<Transfer> transfers = {};

  /// Steps overlap: a rank is at the end of a step when others may be in later
  /// ones, or so many steps before it, but no more. 0: each step is over, on
  /// all ranks, before the next one begins.
  int64_t lag = 0;
};

/// A tensor in a rank's memory.
struct LocalType {
  ElementType elementType = ElementType::kF32;
  std::vector<int64_t> shape;
};

/// A function that a GPU runs in `blocks` blocks of `threads` threads each. Its
/// arguments are the addresses of the kernel's buffers, as a task has them.
struct Launch {
  std::string function;
  int64_t blocks = 1;
  int64_t threads = 1;
  int64_t sharedBytes = 0;  // what each block has; the function itself says so
};

/// A kernel, and what it takes and gives.
struct Kernel {
  std::string name;  // of its symbol
  std::string op;    // what it computes: "nn.gelu"
  std::vector<LocalType> operands;
  std::vector<LocalType> results;
  int64_t scratchBytes = 0;  // of the last buffer of its tasks; none when 0
  /// On a GPU: what runs, one behind the other. On a CPU: none, it is a
  /// function.
  std::vector<Launch> launches = {};
};

/// Runs kernel `kernel` (an index into Plan::kernels) on the buffers of its
/// operands, then of its results: a result that lies where an operand does has
/// that one's. The last buffer of a kernel that needs scratch memory is that.
struct KernelTask {
  int64_t kernel = 0;
  std::vector<int64_t> buffers;
  int64_t call = 0;  // an index into EntryProgram::calls
};

/// One collective, or one of the local steps of a boxing that depend on where
/// a rank stands. The members are the ranks of the group that differ only in
/// the coordinates of `axes`, numbered row-major over `axes`, major first.
///
/// A dimension of extent e that is split over axes (a, b, ...) is split evenly
/// over a, each part over b, and so on; index i of n owns
/// [i*e/n, (i+1)*e/n), rounded down. "Part i" below means the part of member i.
///
///   kAllReduce      out = reduction over members of in
///   kAllGather      dimension `dim` of out joins all members' in
///   kReduceScatter  out = part [me] along `dim` of the reduction of all in
///   kAllToAll       `in` is whole along splitDim and a part along dim;
///                   `out` is a part along splitDim and whole along dim
///   kHaloExchange   out = part [me] along `dim`, of an extent `extent`, and
///   the
///                   `low` elements before it and the `high` ones behind it;
///                   beyond the ends, the reduction's identity
///   kSlice          out = part [me] along `dim` of in
///   kPad            out = in at part [me] along `dim`, elsewhere the
///                   reduction's identity
///   kToPartial      out = in on member 0, on others the reduction's identity
///   kOffset         out (i64 scalar) = where part [me] of an extent `extent`
///                   begins
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
  int64_t dim = 0;
  int64_t splitDim = 0;
  int64_t extent = 0;
  int64_t low = 0;
  int64_t high = 0;
  std::vector<int64_t> inShape;   // local
  std::vector<int64_t> outShape;  // local
  int64_t in = 0;                 // buffer
  // Buffer. An all-reduce or to-partial may have out == in, on some members and
  // not on others; else the two never overlap.
  int64_t out = 0;
  int64_t call = 0;   // an index into EntryProgram::calls
  int64_t group = 0;  // an index into Plan::groups
  /// Collectives that stand one right behind the other with one such number,
  /// at least 0, are a bucket: a member sends what it has for another one of
  /// all of them in one message. They are of one kind that involves others,
  /// over the same axes of one group, and of one element type and reduction;
  /// none reads or writes what another one writes. -1: this one travels alone.
  int64_t bucket = -1;
};

/// The most collectives that a bucket has.
inline constexpr int64_t kMostInBucket = 1024;

/// Kinds that only look at the rank's own coordinates.
bool isLocal(CollectiveTask::Kind kind);

/// One end of a transfer. What is sent keeps its value from start to finish;
/// what is received is there at the finish, and until then, from the start on,
/// nobody else uses its buffer. To start waits for nobody. The occurrence of a
/// transfer within a run is the time of the loop that the task stands in, or
/// the first.
struct TransferTask {
  enum class Kind { kStartSend, kFinishSend, kStartReceive, kFinishReceive };
  Kind kind = Kind::kStartSend;
  int64_t transfer = 0;  // an index into Entry::transfers
  int64_t buffer = 0;
  int64_t call = 0;  // an index into EntryProgram::calls
};

/// Whether it finishes an end that another task starts.
inline bool isFinish(TransferTask::Kind kind) {
  return kind == TransferTask::Kind::kFinishSend ||
         kind == TransferTask::Kind::kFinishReceive;
}

using Task = std::variant<KernelTask, CollectiveTask, TransferTask>;

/// Tasks [first, last) that run `times` times before the next task does: one
/// time after the other, or block by block as `order` says.
struct Loop {
  /// A buffer that holds zeros before the first time.
  struct Carried {
    int64_t buffer = 0;
    int64_t bytes = 0;
  };

  /// Tasks [first, last) that run one after the other for one time, before any
  /// block runs for another one.
  struct Block {
    std::string name;  // for people: "1F", the forward of stage 1
    int64_t first = 0;
    int64_t last = 0;
    int64_t numRuns = 1;  // for so many of the times
    /// Of no time: it takes what other blocks have added up over all times, and
    /// runs once, listed for time 0.
    bool isOnce = false;
  };

  struct Run {
    int64_t block = 0;  // an index into `blocks`
    int64_t time = 0;
    int64_t ahead = 0;  // of the step that is so much later than this one
  };

  /// Memory for what blocks give to blocks of the same time, when other times
  /// come in between: so many slots of `bytes` bytes, the first at `buffer`. A
  /// time has the first slot that is free when one of `users` runs for it,
  /// until all have. Tasks name buffers in the first slot, and mean that of
  /// their time.
  struct Slots {
    int64_t buffer = 0;
    int64_t bytes = 0;
    int64_t count = 1;
    std::vector<int64_t> users;  // blocks, ascending
  };

  /// Where messages decide what runs next: of the blocks that can run, one of
  /// the least urgency number does. Then `order` says only for which times a
  /// block runs one after the other, and which blocks wait for which of the
  /// same time: those that always stand before them. One that runs once waits
  /// for all runs of the blocks that stand before it for the last time.
  struct Messages {
    std::vector<int64_t> urgencies;  // by block
    /// The ranks that run these blocks together agree on what all of them can
    /// run: an all-reduce by kMin, of an f32 per block, in place.
    CollectiveTask agreement;
  };

  int64_t first = 0;
  int64_t last = 0;
  int64_t times = 1;
  std::vector<Carried> carried;

  /// A buffer for an i64, which holds the number of the time, from 0; or
  /// kAbsent.
  int64_t number = kAbsent;

  std::vector<Block> blocks = {};  // all tasks, in order; none: they are one
  std::vector<Run> order = {};     // no block twice for a time; if there are
  std::vector<Slots> slots = {};   // apart
  std::optional<Messages> messages = std::nullopt;  // none: `order` decides
};

/// A gradient that changes a parameter, as a rank has it: floats.
struct Gradient {
  ElementType elementType = ElementType::kF32;
  int64_t buffer = 0;
  int64_t numElements = 0;
  /// Along these axes of the group, ascending, ranks have equal copies of it;
  /// along the others, elements of their own.
  std::vector<int64_t> copyAxes;
  int64_t group = 0;  // an index into Plan::groups
};

/// A function of the model that runs: the entry, or what another one calls. Of
/// what tasks compute nothing depends on it: it says where they come from.
struct Call {
  std::string function;
  int64_t caller = -1;  // an earlier one of EntryProgram::calls; none: -1
};

/// Memory that goes round from step to step: slots of `bytes` bytes, one behind
/// the other. Tasks that name a buffer in slot k mean what it holds of the step
/// k before theirs; that lies in slot (step - k) mod count, the first step
/// being 0.
struct Rotation {
  int64_t buffer = 0;
  int64_t bytes = 0;
  int64_t count = 1;
};

/// One entry function as one program runs it.
struct EntryProgram {
  int64_t arenaBytes = 0;
  std::vector<int64_t> inputs;   // buffer of each Entry::inputs, or kAbsent
  std::vector<int64_t> outputs;  // buffer of each Entry::outputs, or kAbsent
  std::vector<Task> tasks;
  /// Tasks before this one change no parameter. When they have run, outputs and
  /// gradients are there.
  int64_t firstUpdate = 0;
  std::vector<Gradient> gradients;
  std::vector<Call> calls;
  std::vector<Loop> loops = {};          // of tasks, apart, in order
  std::vector<Rotation> rotations = {};  // apart, in order

  // Where steps overlap (Entry::lag), else as they are:

  /// Tasks before the first loop are of the step that is so much later.
  int64_t ahead = 0;
  /// Tasks from this one on are of the step that is Entry::lag earlier, and
  /// stand behind all updates: they finish what that has sent. Negative: none.
  int64_t firstLate = -1;

  EntryValues values = {};  // as the compiler knows them
};

/// By task of `program` the loop in which it stands, an index into
/// EntryProgram::loops; none: -1.
std::vector<int64_t> loopsOfTasks(const EntryProgram& program);

/// What one set of ranks runs.
struct Program {
  std::vector<int64_t> ranks;  // ascending
  int64_t persistentBytes = 0;
  std::vector<int64_t> parameters;  // buffer of each Plan::parameters, or
                                    // kAbsent
  std::vector<EntryProgram> entries;
};

struct Plan {
  std::string model;  // the name of the model, for people
  /// Which compiler made the plan and the kernels; empty if nobody says.
  std::string compiler;
  std::vector<Group> groups = std::vector<Group>(1);  // the first has all ranks
  /// In the order of the kernel table.
  std::vector<Kernel> kernels;
  std::vector<Parameter> parameters;
  std::vector<Entry> entries;
  std::vector<Program> programs;

  int64_t numRanks() const;

  const Group& groupOf(const Tensor& tensor) const {
    return groups[tensor.group];
  }
};

/// Writes a plan as JSON, indented so that people can read it. Values
/// (EntryProgram::values) are not in it.
std::string toJson(const Plan& plan);

/// Reads what toJson wrote. Fails on text that is no plan, naming the field,
/// and on a plan that contradicts itself (an offset outside the arena, a rank
/// in two programs, an axis that the mesh does not have).
absl::StatusOr<Plan> fromJson(std::string_view text);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_PLAN_H_
