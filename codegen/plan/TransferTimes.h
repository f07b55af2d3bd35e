// When a rank starts to receive and finishes to send: before which of the steps
// that it runs of a pipeline.
//
//   the order of all ranks   1F0 2F0                1F1 2B0 2F1 1B0
//   one of stage 1           1F0      finish start  1F1         1B0
//                                     |      |
//                what 1F0 has sent to 2F0    what 1B0 receives of 2B0
//
// A receive starts one step ahead of the one that takes it, or earlier: no
// later than the receives of what the same group sends behind it, so that
// messages go in order (runtime/proof/Waits.h) where each task receives of each
// group what one of its tasks has sent. A send is finished before the first
// step that, in the order of all ranks, stands behind the one that receives it:
// so it waits for nobody who might wait for this rank. Without a flush, where a
// period begins again when it has ended, either may be in another period than
// its step.

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

/// With whom a task of the pipeline exchanges tensors.
struct TaskPeers {
  SmallVector<StringRef> consumers;  // tasks that receive what it sends
  /// Groups that send what it receives, and the tasks in which they do.
  SmallVector<std::pair<Attribute, StringRef>> producers;
};

/// The start of what a step receives, or the end of what it sends.
struct TransferEnd {
  size_t step = 0;    // an index of those of the rank
  int64_t ahead = 0;  // of a training step so far behind, where it stands
};

struct TransferTimes {
  // By the step before which they stand; the last finishes are behind all. In
  // the order in which they run.
  std::vector<std::vector<TransferEnd>> starts, finishes;
};

/// Those of a rank that runs `steps`, in this order. `peersOf` knows the peers
/// of the task of each, if it has any.
TransferTimes transferTimesOf(
    const PipelineOrder& order, ArrayRef<PipelineOrder::OwnStep> steps,
    llvm::function_ref<const TaskPeers&(const PipelineOrder::OwnStep&)>
        peersOf);

}  // namespace sbp

#endif  // CODEGEN_PLAN_TRANSFERTIMES_H_
