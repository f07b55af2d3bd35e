// The values of a program: what its tasks mean to read and write.
//
// A task names buffers, and a buffer holds different values over time. Only the
// compiler knows which value a task means. A value is either the result of one
// task, or is there without a task: an input, a parameter before the updates, a
// buffer that a loop carries to the next micro-batch, or the index of the
// micro-batch. The compiler numbers the values and lists them here, so that its
// decisions (order, slots, offsets in the arena) can be proven against them
// (runtime/proof):
//
//   task                 buffers     read    written
//   kernel nn.exp        0, 64       v0      v3
//   kernel nn.add        64, 0, 64   v3 v0   v4        overwrites v3
//   start_send           64          v4
//
// A value made in a loop differs from micro-batch to micro-batch. A buffer that
// a loop carries from one micro-batch to the next (Loop::carried) has a value
// too. For the first micro-batch it is zeros; for each further one it is the
// value EntryValues::Carried::given of the previous micro-batch.
//
// Values serve proofs and not execution, so they are not part of plan files.

#ifndef RUNTIME_PLAN_VALUES_H_
#define RUNTIME_PLAN_VALUES_H_

#include <cstdint>
#include <vector>

namespace sbp::plan {

/// The values of one task.
struct TaskValues {
  std::vector<int64_t> read;     // by operand; for a transfer, the sent value
  std::vector<int64_t> written;  // by result; for a transfer, the received one
  int64_t scratchBytes = 0;      // size of the kernel's scratch memory; 0: none
  /// Loop for whose micro-batches the task runs, an index into
  /// EntryProgram::loops; -1: the task runs once per step.
  int64_t loop = -1;
  /// For a collective that is not local (isLocal): the number of such
  /// collectives on the same group that stand before this one in
  /// EntryProgram::tasks. The number is equal on all members.
  int64_t collectiveIndex = 0;
};

/// The values of one entry of a program.
struct EntryValues {
  /// A parameter's memory, and its values before and after the updates.
  struct Parameter {
    int64_t buffer = 0;
    int64_t bytes = 0;
    int64_t before = 0;  // value before the first update
    int64_t after = 0;   // value after the last task; `before` if not updated
  };

  /// The value of a buffer that a loop carries.
  struct Carried {
    int64_t value = 0;
    int64_t given = 0;  // value that is passed to the next micro-batch
    /// Micro-batches whose tasks read and replace the carried buffer,
    /// ascending; empty: all micro-batches.
    std::vector<int64_t> microBatches = {};
  };

  /// The values of a loop that no task makes.
  struct Loop {
    std::vector<Carried> carried;  // in the order of Loop::carried
    /// Value in Loop::microBatchBuffer; -1: there is no such buffer.
    int64_t microBatchValue = -1;
  };

  std::vector<TaskValues> tasks;  // in the order of EntryProgram::tasks
  /// For each value, the loop whose tasks make the value, once per micro-batch;
  /// -1: no loop makes it.
  std::vector<int64_t> loopOf;  // by value
  std::vector<Loop> loops;      // in the order of EntryProgram::loops
  std::vector<Parameter> parameters;
  /// Values of EntryProgram::inputs and EntryProgram::outputs, in their order;
  /// kAbsent: this program does not have the tensor.
  std::vector<int64_t> inputs, outputs;
  /// Values of the outputs that are complete before the first update; kAbsent
  /// for other outputs.
  std::vector<int64_t> earlyOutputs;
  std::vector<int64_t> gradients;  // in the order of EntryProgram::gradients

  /// Whether the compiler has listed no values: the plan was read from a file.
  bool areUnknown() const { return loopOf.empty() && tasks.empty(); }
};

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_VALUES_H_
