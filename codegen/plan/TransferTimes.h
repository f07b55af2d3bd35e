// Decides when a rank starts its receives and finishes its sends in a pipeline:
// before which of its steps. A step is one run of a task of the pipeline, for
// one micro-batch: 1F0 is the forward of stage 1 for micro-batch 0.
//
//   sequence of all ranks    1F0 2F0                1F1 2B0 2F1 1B0
//   steps of a rank          1F0      finish start  1F1         1B0
//                                     |      |
//          the send of 1F0 to 2F0 ----       ---- the receive of 1B0 from 2B0
//
// A receive starts one step before the step that takes its tensor, or earlier.
// It starts no later than the receives of messages that the same group sends
// later. So the messages from a group are received in the order in which they
// are sent (runtime/proof/Waits.h). This holds if all tensors that a task
// receives from one group come from one task.
//
// A send is finished before the rank's first step that comes, in the sequence
// of all ranks, after all steps that receive the tensor. So the rank waits for
// no rank that might wait for it.
//
// Without a flush, a rank runs one period after the other (PipelineOrder.h). A
// receive may then start in an earlier period than that of the step which takes
// its tensor, and a send may be finished in a later period than that of the
// step which starts it.

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
  SmallVector<StageTask> consumers;  // tasks that receive the task's tensors
  /// Groups that send tensors to the task, each with the task that sends them.
  SmallVector<std::pair<Attribute, StageTask>> producers;
};

/// The start of all receives of a step, or the finish of all its sends.
struct StepTransfers {
  size_t step = 0;         // an index into the rank's steps
  int64_t stepOffset = 0;  // as plan::Loop::BlockRun::stepOffset
};

/// The transfers that a rank starts or finishes between its steps.
struct TransferTimes {
  // Element i has the transfers that run before step i, in the order in which
  // they run. `finishes` has one more element, for the transfers that run after
  // all steps.
  std::vector<std::vector<StepTransfers>> starts, finishes;
};

/// Returns the transfer times of a rank that runs `steps`, in this order;
/// `order` is that of all ranks. `peersOf` returns the peers of a step's task.
TransferTimes transferTimesOf(
    const PipelineOrder& order, ArrayRef<PipelineOrder::RankTaskRun> steps,
    llvm::function_ref<const TaskPeers&(const PipelineOrder::RankTaskRun&)>
        peersOf);

}  // namespace sbp

#endif  // CODEGEN_PLAN_TRANSFERTIMES_H_
