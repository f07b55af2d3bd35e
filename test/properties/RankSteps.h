// The steps of a rank of a plan: its tasks in their order, in each iteration of
// their loops, and the actions between them.
//
//   tasks     a  loop, 2 iterations: [b c]  update
//   steps     a  zeros  b0 c0  b1 c1  record  update  record
//
// Before a loop, zeros are written to the values that it carries. Before each
// block of an iteration (plan::Loop::Block), the number of the iteration is
// written, if a task reads it. A record step stands before the first update and
// at the end. There the values that are visible outside of the entry can be
// recorded.

#ifndef TEST_PROPERTIES_RANKSTEPS_H_
#define TEST_PROPERTIES_RANKSTEPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"
#include "test/properties/TermMemory.h"

namespace sbp::properties {

/// One step of a rank.
struct RankStep {
  enum class Kind { Task, Write, Record };
  Kind kind = Kind::Task;
  Bytes bytes;            // of a Write
  Term term = kZeros;     // of a Write
  int64_t task = 0;       // of a Task
  int64_t loop = -1;      // loop of the task, or -1
  int64_t iteration = 0;  // of the loop
  bool isOnce = false;    // whether the task uses results of all iterations
  /// Bytes by which buffers in each of plan::Loop::slots are shifted.
  std::vector<int64_t> shifts;
};

/// All steps of a rank.
struct RankSteps {
  std::vector<RankStep> steps;
  std::string fault;  // a fault of the program, or ""
};

/// Returns the steps of a rank that runs `program` once.
RankSteps stepsOf(const plan::EntryProgram& program);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANKSTEPS_H_
