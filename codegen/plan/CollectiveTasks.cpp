#include "codegen/plan/CollectiveTasks.h"

#include "codegen/plan/ElementTypes.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sbp {
namespace {

using plan::CollectiveTask;
using Kind = CollectiveTask::Kind;

plan::ReductionKind reductionOf(rank::Reduction reduction) {
  switch (reduction) {
    case rank::Reduction::Sum:
      return plan::ReductionKind::kSum;
    case rank::Reduction::Max:
      return plan::ReductionKind::kMax;
    case rank::Reduction::Min:
      return plan::ReductionKind::kMin;
  }
  llvm_unreachable("a reduction is one of three");
}

/// Fills in the fields that depend on the kind of `op`. Returns false if plans
/// have no task for `op`.
bool setKind(Operation* op, CollectiveTask& task) {
  return llvm::TypeSwitch<Operation*, bool>(op)
      .Case([&](rank::AllReduceOp reduce) {
        task.kind = Kind::kAllReduce;
        task.reduction = reductionOf(reduce.getReduction());
        return true;
      })
      .Case([&](rank::AllGatherOp gather) {
        task.kind = Kind::kAllGather;
        task.dim = gather.getDim();
        return true;
      })
      .Case([&](rank::ReduceScatterOp scatter) {
        task.kind = Kind::kReduceScatter;
        task.reduction = reductionOf(scatter.getReduction());
        task.dim = scatter.getDim();
        return true;
      })
      .Case([&](rank::AllToAllOp exchange) {
        task.kind = Kind::kAllToAll;
        task.dim = exchange.getGatherDim();
        task.splitDim = exchange.getSplitDim();
        return true;
      })
      .Case([&](rank::HaloExchangeOp halo) {
        task.kind = Kind::kHaloExchange;
        task.reduction = reductionOf(halo.getReduction());
        task.dim = halo.getDim();
        task.extent = halo.getExtent();
        task.low = halo.getLow();
        task.high = halo.getHigh();
        return true;
      })
      .Case([&](rank::SliceOp slice) {
        task.kind = Kind::kSlice;
        task.dim = slice.getDim();
        return true;
      })
      .Case([&](rank::PadOp pad) {
        task.kind = Kind::kPad;
        task.reduction = reductionOf(pad.getReduction());
        task.dim = pad.getDim();
        return true;
      })
      .Case([&](rank::ToPartialOp partial) {
        task.kind = Kind::kToPartial;
        task.reduction = reductionOf(partial.getReduction());
        return true;
      })
      .Case([&](rank::OffsetOp offset) {
        task.kind = Kind::kOffset;
        task.extent = offset.getExtent();
        return true;
      })
      .Default([](Operation*) { return false; });
}

}  // namespace

FailureOr<CollectiveTask> collectiveTaskOf(Operation* op, PlanGroups& groups) {
  CollectiveTask task;
  if (!setKind(op, task))
    return op->emitOpError() << "has no counterpart in a plan";
  auto group = groups.of(op, rank::meshNameOf(op));
  if (failed(group)) return failure();
  FailureOr<SmallVector<int64_t>> axes = rank::axesNamed(
      op, op->getAttrOfType<mlir::ArrayAttr>("axes"), (*group)->mesh);
  if (failed(axes)) return failure();
  task.group = (*group)->number;
  task.axes.assign(axes->begin(), axes->end());

  auto result = llvm::cast<RankedTensorType>(op->getResult(0).getType());
  FailureOr<plan::ElementType> element = planElementType(op, result);
  if (failed(element)) return failure();
  task.elementType = *element;
  task.outShape = result.getShape().vec();
  if (op->getNumOperands() == 0) return task;
  task.inShape = llvm::cast<RankedTensorType>(op->getOperand(0).getType())
                     .getShape()
                     .vec();
  return task;
}

KernelNeeds collectiveNeedsOf(Operation* op) {
  KernelNeeds needs;
  if (llvm::isa<rank::AllReduceOp, rank::ToPartialOp>(op))
    needs.inPlace.push_back({0, 0});
  return needs;
}

FailureOr<CollectiveTask> copyTaskOf(Operation* op, RankedTensorType type) {
  FailureOr<plan::ElementType> element = planElementType(op, type);
  if (failed(element)) return failure();
  CollectiveTask task;
  task.kind = Kind::kToPartial;
  task.elementType = *element;
  task.inShape = task.outShape = type.getShape().vec();
  return task;
}

}  // namespace sbp
