// Decides before which of its steps of a pipeline a rank starts each receive
// and finishes each send. A step is one task of the pipeline for one
// micro-batch.
//
//   sequence of all ranks    1F0 2F0                1F1 2B0 2F1 1B0
//   steps of a rank          1F0      finish start  1F1         1B0
//                                     |      |
//          the send of 1F0 to 2F0 ----       ---- the receive of 1B0 from 2B0
//
// A receive starts one step before the step that takes its tensor, or earlier:
// no later than the receives of messages that the same group sends after it. So
// the messages from a group are received in the order in which they are sent
// (runtime/proof/Waits.h), provided that each task receives from each group the
// tensors of one of its tasks. A send is finished before the first step that
// comes, in the sequence of all ranks, after the step that receives it: so it
// waits for no rank that might wait for this one. Without a flush, when one
// period follows another, either may be in another period than its step.

#ifndef CODEGEN_PLAN_TRANSFERTIMES_H_
#define CODEGEN_PLAN_TRANSFERTIMES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "dialects/support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Attributes.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp {

/// The tasks with which a task of the pipeline exchanges tensors.
struct TaskPeers {
  SmallVector<StageTask> consumers;  // tasks that receive its tensors
  /// Groups that send its tensors, and the task in which each does.
  SmallVector<std::pair<Attribute, StageTask>> producers;
};

/// The start of a step's receives, or the finish of its sends.
struct TransferEnd {
  size_t step = 0;         // an index into the rank's steps
  int64_t stepOffset = 0;  // step offset of the run, where it stands
};

/// The ends of transfers that a rank runs between its steps.
struct TransferTimes {
  // Both by the step before which they run, in the order in which they run; the
  // last element of `finishes` has the sends that are finished after all steps.
  std::vector<std::vector<TransferEnd>> starts, finishes;
};

/// Returns the transfer times of a rank that runs `steps`, in this order.
/// `peersOf` returns the peers of a step's task.
TransferTimes transferTimesOf(
    const PipelineOrder& order, ArrayRef<PipelineOrder::RankTaskRun> steps,
    llvm::function_ref<const TaskPeers&(const PipelineOrder::RankTaskRun&)>
        peersOf);

}  // namespace sbp

#endif  // CODEGEN_PLAN_TRANSFERTIMES_H_
