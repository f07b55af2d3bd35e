#include "codegen/plan/LayOutEntry.h"

#include <utility>

#include "codegen/plan/EarlySums.h"
#include "codegen/plan/FillBuckets.h"
#include "codegen/plan/JoinUpdates.h"
#include "codegen/plan/LiveRanges.h"
#include "codegen/plan/LoopBlocks.h"
#include "codegen/plan/OrderUpdates.h"
#include "codegen/plan/OverlapSteps.h"
#include "codegen/plan/PlaceBuffers.h"
#include "codegen/plan/RotateBuffers.h"
#include "codegen/plan/ShareBuffers.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinTypes.h"

namespace sbp {
namespace {

/// Gives each loop of message-driven execution a buffer in which the ranks
/// agree on the next block.
void addAgreements(TaskList& list) {
  for (ListedLoop& loop : list.loops) {
    if (!loop.messages) continue;
    const auto numBlocks = static_cast<int64_t>(loop.blocks.size());
    MLIRContext* context = list.calls.front().function.getContext();
    TaskBuffer buffer;
    buffer.type =
        RankedTensorType::get({numBlocks}, mlir::Float32Type::get(context));
    buffer.bytes = numBlocks * static_cast<int64_t>(sizeof(float));
    loop.messages->buffer = static_cast<int64_t>(list.buffers.size());
    list.buffers.push_back(buffer);
  }
}

/// Fails if a tensor that depends on an update is transferred. Other ranks may
/// wait for the tensor before it is decided whether updates are made at all.
LogicalResult sendsNoUpdates(const TaskList& list) {
  for (const ListedTask& task : llvm::drop_begin(list.tasks, list.firstUpdate))
    if (task.end)
      return task.op->emitOpError()
             << "moves a tensor between groups of ranks that depends on an "
                "update of a parameter; only tensors made before all updates "
                "can be moved";
  return success();
}

void share(EntryMemory& memory) {
  memory.updates = memory.list.updates;
  memory.memoryOf = shareBuffers(memory.list);
}

/// A step, and the function that does it. `order` is the order of the schedule
/// for the entry, if there is one.
struct Step {
  StringRef name;
  LogicalResult (*run)(EntryMemory& memory,
                       const std::optional<PipelineOrder>& order);
};

/// Makes a step of a function that rewrites the list, and cannot fail.
template <void rewrite(TaskList&)>
LogicalResult onList(EntryMemory& memory, const std::optional<PipelineOrder>&) {
  rewrite(memory.list);
  return success();
}

/// Makes a step of a function that adds to the layout, and cannot fail.
template <void add(EntryMemory&)>
LogicalResult onMemory(EntryMemory& memory,
                       const std::optional<PipelineOrder>&) {
  add(memory);
  return success();
}

LogicalResult cutLoops(EntryMemory& memory,
                       const std::optional<PipelineOrder>& order) {
  return cutIntoBlocks(memory.list, order);
}

LogicalResult overlap(EntryMemory& memory,
                      const std::optional<PipelineOrder>&) {
  return overlapSteps(memory.list);
}

LogicalResult order(EntryMemory& memory, const std::optional<PipelineOrder>&) {
  orderUpdates(memory.list);
  return sendsNoUpdates(memory.list);
}

/// The first step makes the list.
constexpr llvm::StringLiteral kFirstStep = "listed";

/// The steps after the first one, in order.
constexpr Step kSteps[] = {
    {"blocks", cutLoops},
    {"overlapping-steps", overlap},
    {"updates-in-order", order},
    {"joined-updates", onList<joinUpdates>},
    {"early-sums", onList<moveSumsForward>},
    {"agreements", onList<addAgreements>},
    {"buckets", onList<fillBuckets>},
    {"shared-buffers", onMemory<share>},
    {"live-ranges", onMemory<findLiveRanges>},
    {"rotations", onMemory<rotateBuffers>},
    {"slots", onMemory<addSlots>},
    {"offsets", onMemory<placeBuffers>},
};

}  // namespace

FailureOr<EntryMemory> layOutEntry(mlir::func::FuncOp entry,
                                   const KernelTarget& target,
                                   const ParameterVersions& versions,
                                   const std::optional<PipelineOrder>& pipeline,
                                   StepObserver observe) {
  std::optional<PipelineOrder> order;
  if (pipeline) order = pipeline->forEntry(entry);
  FailureOr<TaskList> list = listTasks(entry, target, versions, order);
  if (failed(list)) return failure();
  EntryMemory memory;
  memory.list = std::move(*list);
  int64_t number = 1;
  if (observe && failed(observe({number, kFirstStep}, memory)))
    return failure();
  for (const Step& step : kSteps) {
    if (failed(step.run(memory, order))) return failure();
    if (observe && failed(observe({++number, step.name}, memory)))
      return failure();
  }
  return memory;
}

}  // namespace sbp
