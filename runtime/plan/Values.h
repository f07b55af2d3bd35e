// The values of a program: what its tasks mean to read and write.
//
// A task names buffers, and a buffer holds different values over time. Only the
// compiler knows which value a task means. Each value is made by one task. The
// compiler lists the values here, so that its decisions (order, slots, offsets
// in the arena) can be proven against them (runtime/proof):
//
//   task                 buffers     read    written
//   kernel nn.exp        0, 64       v0      v3
//   kernel nn.add        64, 0, 64   v3 v0   v4        overwrites v3
//   start_send           64          v4
//
// A value made in a loop is a different one for each micro-batch. A carried
// buffer has a value too: zeros for the first micro-batch, and for each further
// one the value `given` of the previous micro-batch.
//
// Values serve proofs and not execution, so they are not part of plan files.

#ifndef RUNTIME_PLAN_VALUES_H_
#define RUNTIME_PLAN_VALUES_H_

#include <cstdint>
#include <vector>

namespace sbp::plan {

/// The values of one task.
struct TaskValues {
  std::vector<int64_t> read;     // by operand; of a transfer, the sent value
  std::vector<int64_t> written;  // by result; of a transfer, the received value
  int64_t scratchBytes = 0;      // of a kernel that needs scratch memory
  int64_t loop = -1;  // loop whose micro-batches its values belong to; none: -1
  /// For a collective: number of collectives of the same group before it in the
  /// task list. Equal on all members.
  int64_t collectiveIndex = 0;
};

/// The values of one entry of a program.
struct EntryValues {
  /// A parameter's memory, and its values before and after the updates.
  struct Parameter {
    int64_t buffer = 0;
    int64_t bytes = 0;
    int64_t before = 0;  // value before the first update
    int64_t after = 0;   // value after the last task
  };

  /// The value of a carried buffer of a loop.
  struct Carried {
    int64_t value = 0;
    int64_t given = 0;  // value that the next micro-batch gets
    /// Micro-batches that read and replace the carried buffer, ascending;
    /// empty: all.
    std::vector<int64_t> microBatches = {};
  };

  /// The values of a loop that no task makes.
  struct Loop {
    std::vector<Carried> carried;  // in the order of Loop::carried
    int64_t microBatchValue = -1;  // value of the micro-batch's index; none: -1
  };

  std::vector<TaskValues> tasks;  // by task
  std::vector<int64_t>
      loopOf;               // by value: the loop in which it is made; none: -1
  std::vector<Loop> loops;  // by loop
  std::vector<Parameter> parameters;
  std::vector<int64_t> inputs, outputs;  // as in EntryProgram; or kAbsent
  /// Values of the outputs that are complete before the first update; others
  /// kAbsent.
  std::vector<int64_t> earlyOutputs;
  std::vector<int64_t> gradients;  // as in EntryProgram

  /// Whether the compiler has listed no values: the plan was read from a file.
  bool areUnknown() const { return loopOf.empty() && tasks.empty(); }
};

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_VALUES_H_
