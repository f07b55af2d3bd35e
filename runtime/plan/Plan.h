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
//     places       where the ops of the model stand in its text
//     kernels      functions that tasks run
//     parameters   tensors that live from step to step: weights and their state
//     entries      functions that can be called: named inputs, named outputs
//     programs     one per set of ranks that run the same tasks
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
// outputs and temporaries. A buffer is named by its offset in the arena, in
// bytes, which is a multiple of kBufferAlignment. Tensors in buffers are dense
// and row-major.
//
// Tasks run in the order of the table; in loops, in the order of Loop::order or
// by messages (Loop::Messages). Another order gives the same results only if it
// keeps all dependencies through buffers, if all members of collectives still
// run them in one common order, and if all tasks before
// EntryProgram::firstUpdate run before the others.
//
// Loops. The tasks of a loop run once per micro-batch of a step. In a pipeline
// they form blocks, such as the forward of one stage. A block may run for some
// of the micro-batches only; the loop lists in which order blocks run, and for
// which micro-batch.
//
// Buckets. Small collectives among the same ranks, such as the all-reduces of
// the gradients of biases, run as one collective, because each alone would take
// little more than its latency.
//
// Overlapping steps. A rank runs the tasks of its table once per iteration. In
// a pipeline that is not flushed after each step, one iteration runs tasks of
// several steps. In iteration i most tasks run for step i, and others for a
// step i + k. The step offset k is positive for a later step and negative for
// an earlier one. Some memory, such as that of inputs and of versions of
// weights, holds data of several steps at once. It has several slots, which the
// steps use in turn (Rotation). A run of steps 0 to n - 1 skips tasks for steps
// below 0 or above n - 1.

#ifndef RUNTIME_PLAN_PLAN_H_
#define RUNTIME_PLAN_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/plan/Loop.h"
#include "runtime/plan/Places.h"
#include "runtime/plan/Tasks.h"
#include "runtime/plan/Tensor.h"
#include "runtime/plan/Values.h"

namespace sbp::plan {

/// Alignment of buffers in the arena, in bytes.
inline constexpr int64_t kBufferAlignment = 64;

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
  /// A relation to another parameter: this parameter holds the value that the
  /// other one had `steps` steps ago. Both have the same type, shape and
  /// placement, and begin with the initial value of the other parameter.
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
/// same type and shape, and neither is Partial. A receiving rank takes each
/// part of its box (Box.h) from one of the sending ranks that hold this part.
struct Transfer {
  Tensor source;
  Tensor target;
  int64_t times = 1;  // runs per step: one per micro-batch that needs it
  /// On GPUs, the channel of its messages from one rank to another one. NCCL
  /// delivers the messages of a channel in the order in which they are sent.
  int64_t channel = 0;
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
  /// iteration i a rank may wait until every rank has sent its facts on step i
  /// - maxSkew (train/StepAgreement.h). No rank needs anything that this rank
  /// does after the wait to send these facts, so the wait causes no deadlock.
  int64_t maxSkew = 0;

  /// Whether it is proven that no rank waits for ever if each rank takes
  /// messages in the order in which it starts to receive them
  /// (proof::proveInOrderOfReceives). GPUs that read each other's memory take
  /// messages so.
  bool takesInOrder = false;

  /// Whether it is proven that no rank waits for ever if the messages between
  /// two ranks are delivered in the order in which the sender starts them
  /// (proof::proveInOrder). NCCL delivers messages so.
  bool sendsInOrder = false;
};

/// A function that a GPU runs in `blocks` blocks of `threads` threads each. Its
/// arguments are the addresses of the task's buffers.
struct Launch {
  std::string function;
  int64_t blocks = 1;
  int64_t threads = 1;
  int64_t sharedBytes = 0;  // shared memory that `function` declares, per block
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

/// One rank's part of a gradient by which a parameter is updated. The element
/// type is a floating-point type.
struct Gradient {
  ElementType elementType = ElementType::kF32;
  int64_t buffer = 0;
  int64_t numElements = 0;
  /// Axes of the group, ascending, along which ranks hold equal copies of the
  /// gradient. Along other axes each rank holds elements of its own.
  std::vector<int64_t> copyAxes;
  int64_t group = 0;  // index into Plan::groups
  /// On a GPU, the launch that adds up the squares of the elements, in f64. Its
  /// arguments are the addresses of the gradient and of an array of f64, in
  /// which each block stores its part of the sum. None on a CPU.
  std::optional<Launch> squares = std::nullopt;
};

/// A call of a function of the model: the entry, or a function that it calls.
/// Calls only serve messages that say which layer a task comes from; nothing
/// computed depends on them.
struct Call {
  std::string function;
  int64_t caller = -1;  // smaller index into EntryProgram::calls; none: -1
  int64_t origin = kUnknownOrigin;  // index into Places::origins
};

/// Memory whose slots the steps use in turn: `count` consecutive slots of
/// `bytes` bytes, the first at `buffer`. The data of step s lie in slot s mod
/// count; the first step is step 0. If a task names a buffer in slot k, it
/// means the data of k steps ago: when it runs for step s, it accesses slot (s
/// - k) mod count.
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

  /// For each task an index into Places::origins, or kUnknownOrigin. Empty:
  /// all are unknown.
  std::vector<int64_t> origins = {};

  /// Returns the origin of task `index`.
  int64_t originOf(size_t index) const {
    return origins.empty() ? kUnknownOrigin : origins[index];
  }

  EntryValues values = {};  // unknown in a plan read from a file
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

/// A plug-in of the compiler, by the name and the version that it gives itself.
struct Plugin {
  std::string name;
  std::string version;
};

/// The plan of all ranks; the head of this file describes it.
struct Plan {
  std::string model;  // the name of the model, for people
  /// The version of the compiler that made the plan and the kernels; empty if
  /// unknown.
  std::string compiler;
  /// The plug-ins of the compiler that contributed to the program.
  std::vector<Plugin> plugins = {};
  std::vector<Group> groups =
      std::vector<Group>(1);  // the first one has all ranks
  Places places = {};
  /// In the order of sbp_kernels (runtime/Abi.h).
  std::vector<Kernel> kernels;
  std::vector<Parameter> parameters;
  std::vector<Entry> entries;
  std::vector<Program> programs;

  /// Returns the number of ranks of the program.
  int64_t numRanks() const;

  /// Returns the program that `rank` runs.
  const Program& programOf(int64_t rank) const;

  /// Whether the kernels are for GPUs.
  bool isForGpus() const;

  /// Returns the group on which `tensor` lies.
  const Group& groupOf(const Tensor& tensor) const {
    return groups[tensor.group];
  }
};

/// Writes a plan as indented JSON. EntryProgram::values are left out.
std::string toJson(const Plan& plan);

/// Reads a text that toJson() has written. Fails if the text is not a plan; the
/// error names the field. Also fails if check() does (Check.h).
absl::StatusOr<Plan> fromJson(std::string_view text);

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_PLAN_H_
