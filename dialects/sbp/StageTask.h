// The tasks of a pipeline's stages, without their micro-batches.
//
// A task is the number of a stage and a kind of work: "1F" is the forward pass
// of stage 1. A cell of a schedule has the same text, followed by the
// micro-batch (passes/schedule/Csv.h).

#ifndef DIALECTS_SBP_STAGETASK_H_
#define DIALECTS_SBP_STAGETASK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sbp {

/// The kind of work that a task does for its stage.
enum class TaskKind {
  Forward,
  Backward,   // gradients of inputs and of weights at once
  Input,      // gradients of inputs alone: the stage before waits for them
  Weight,     // gradients of weights alone: no other stage waits for them
  Recompute,  // the forward again, if only its inputs were kept
  Reduce,     // sums the stage's gradients over the workers that run it
  Update,     // updates the stage's weights by the sum of gradients
};

/// Returns the letter of a kind: F, B, I, W as in torch.distributed.pipelining;
/// R for Recompute, G for Reduce, U for Update.
char letterOf(TaskKind kind);

/// Returns the kind with the letter `letter`, or nothing if no kind has it.
std::optional<TaskKind> taskKindOf(char letter);

/// Whether a task of this kind calls a function of its stage. The other kinds,
/// Reduce and Update, work on the sums of gradients and on the weights of the
/// stage.
inline bool callsStageFunction(TaskKind kind) {
  return kind < TaskKind::Reduce;
}

/// A task of one stage.
struct StageTask {
  int64_t stage = 0;
  TaskKind kind = TaskKind::Forward;

  /// Returns the text form: "1F".
  std::string text() const;
  /// Returns the task with the text form `text`, or nothing if `text` is not
  /// the text of a task.
  static std::optional<StageTask> parse(std::string_view text);
};

bool operator==(const StageTask& a, const StageTask& b);
inline bool operator!=(const StageTask& a, const StageTask& b) {
  return !(a == b);
}
/// Orders by stage, then by kind.
bool operator<(const StageTask& a, const StageTask& b);

}  // namespace sbp

#endif  // DIALECTS_SBP_STAGETASK_H_
