// What the tasks of a program mean, beside where they find it.
//
// A task names buffers, and a buffer holds one thing after the other. Only the
// compiler knows which of them a task wants: the values of the program, each of
// which one task makes. It says so here, so that what it has decided (an order,
// slots, places in the arena) can be proven against it (runtime/proof):
//
//   task                 buffers     read    written
//   kernel nn.exp        0, 64       v0      v3
//   kernel nn.add        64, 0, 64   v3 v0   v4        in the place of v3
//   start_send           64          v4
//
// A value of a loop is another one each time. What is carried has a value too:
// zeros for the first time, and then what `given` was the time before.
//
// All this is for proofs and not for running, so the text of a plan is without
// it.

#ifndef RUNTIME_PLAN_VALUES_H_
#define RUNTIME_PLAN_VALUES_H_

#include <cstdint>
#include <vector>

namespace sbp::plan {

struct TaskValues {
  std::vector<int64_t> read;     // by operand; of a transfer, what is sent
  std::vector<int64_t> written;  // by result; of a transfer, what has come
  int64_t scratchBytes = 0;      // of a kernel's last buffer, if it has one
  int64_t loop = -1;             // for whose times it means its values; or -1
  /// Of a collective that ranks come to: how many of its group stand before it
  /// in the list. Equal on all members.
  int64_t meeting = 0;
};

struct EntryValues {
  struct Parameter {
    int64_t buffer = 0;
    int64_t bytes = 0;
    int64_t before = 0;  // the value before the first update
    int64_t after = 0;   // and in the end
  };

  struct Carried {
    int64_t value = 0;
    int64_t given = 0;  // to the next time
    /// For which times; none: all of the loop.
    std::vector<int64_t> times = {};
  };

  struct Loop {
    std::vector<Carried> carried;  // in the order of Loop::carried
    int64_t number = -1;           // of the time; none: -1
  };

  std::vector<TaskValues> tasks;  // by task
  std::vector<int64_t> loopOf;    // by value: whose tasks make it; none: -1
  std::vector<Loop> loops;        // by loop
  std::vector<Parameter> parameters;
  std::vector<int64_t> inputs, outputs;  // as those of the program; or kAbsent
  /// The outputs that are there before the first update; else kAbsent.
  std::vector<int64_t> earlyOutputs;
  std::vector<int64_t> gradients;  // as those of the program

  /// Nobody has said anything: a plan that was read.
  bool areUnknown() const { return loopOf.empty() && tasks.empty(); }
};

}  // namespace sbp::plan

#endif  // RUNTIME_PLAN_VALUES_H_
