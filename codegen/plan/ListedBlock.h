// A block of a loop: tasks that a rank runs one after the other, for one
// micro-batch at a time. A task of the pipeline, such as the forward of stage
// 1, is cut into one to four blocks.

#ifndef CODEGEN_PLAN_LISTEDBLOCK_H_
#define CODEGEN_PLAN_LISTEDBLOCK_H_

#include <optional>
#include <string>

#include "dialects/sbp/StageTask.h"

namespace sbp {

/// The parts into which a task of the pipeline is cut, in the order in which
/// they run (LoopBlocks.h).
enum class BlockPart { Before, Within, Sums, After };

inline constexpr int kNumBlockParts = 4;

/// One block of a ListedLoop (TaskList.h), without its tasks: a task has the
/// index of its block.
struct ListedBlock {
  /// The task of the pipeline; nullopt in a loop that no schedule orders.
  std::optional<StageTask> task;
  BlockPart part = BlockPart::Within;

  /// Returns the name of the block in plans: "1F", "1F before". Empty without a
  /// task.
  std::string text() const;
  /// Returns the name of the task in words, without the part: "stage 1,
  /// forward". Empty without a task.
  std::string title() const;
};

}  // namespace sbp

#endif  // CODEGEN_PLAN_LISTEDBLOCK_H_
