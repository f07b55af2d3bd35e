// The rule by which a rank of a pipeline chooses the task that it runs next.

#ifndef PASSES_STAGES_EXECUTION_H_
#define PASSES_STAGES_EXECUTION_H_

namespace sbp {

/// The rule by which a rank chooses its next task.
enum class Execution {
  Static,    // the next task of the schedule
  Messages,  // any task whose messages have arrived; backwards before forwards
};

}  // namespace sbp

#endif  // PASSES_STAGES_EXECUTION_H_
