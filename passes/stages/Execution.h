// How the ranks of a pipeline choose the task that they run next.

#ifndef PASSES_STAGES_EXECUTION_H_
#define PASSES_STAGES_EXECUTION_H_

namespace sbp {

enum class Execution {
  Static,    // the next one of the schedule
  Messages,  // one whose messages have arrived, backwards first
};

}  // namespace sbp

#endif  // PASSES_STAGES_EXECUTION_H_
