// The way in which a rank of a pipeline chooses the task that it runs next.

#ifndef PASSES_STAGES_EXECUTION_H_
#define PASSES_STAGES_EXECUTION_H_

namespace sbp {

enum class Execution {
  Static,    // the next task of the schedule
  Messages,  // a task whose messages have arrived, backwards first
};

}  // namespace sbp

#endif  // PASSES_STAGES_EXECUTION_H_
