// What a rank of a plan does, step by step: its tasks, one after the other and
// for each time of their loops, and what happens between them.
//
//   tasks     a  loop for 2 times: [b c]  update
//   steps     a  zeros  b0 c0  b1 c1  look  update  look
//
// Zeros are written to what a loop carries before it, and the number of the
// time before each run, if a task wants it. To look is to note what lies where
// somebody else finds it: before the first update, and in the end.

#ifndef TEST_PROPERTIES_RANKSTEPS_H_
#define TEST_PROPERTIES_RANKSTEPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plan/Plan.h"
#include "test/properties/TermMemory.h"

namespace sbp::properties {

struct RankStep {
  enum class Kind { Task, Write, Look };
  Kind kind = Kind::Task;
  Bytes bytes;                  // of a Write
  Term term = kZeros;           // of a Write
  int64_t task = 0;             // of a Task
  int64_t loop = -1;            // in which the task runs
  int64_t time = 0;             // for which it runs,
  bool isOnce = false;          // unless it takes what all times have made
  std::vector<int64_t> shifts;  // of the loop's slots
};

struct RankSteps {
  std::vector<RankStep> steps;
  std::string fault;  // the first thing that cannot be; "" if there is none
};

/// The steps of a rank that runs `program` once.
RankSteps stepsOf(const plan::EntryProgram& program);

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_RANKSTEPS_H_
