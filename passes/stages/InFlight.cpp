#include "passes/stages/InFlight.h"

#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/StageTasks.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

using Number = int64_t schedule::StageSlots::*;

/// The numbers of a mark, in their order.
constexpr Number kNumbers[] = {
    &schedule::StageSlots::inFlight,
    &schedule::StageSlots::recomputed,
    &schedule::StageSlots::awaitingWeightGradient,
    &schedule::StageSlots::weights,
    &schedule::StageSlots::awaitingBackward,
};

}  // namespace

void markInFlight(FuncOp forward, const schedule::StageSlots& slots) {
  SmallVector<int64_t> numbers;
  for (auto number : kNumbers) numbers.push_back(slots.*number);
  forward->setAttr(kInFlightAttrName,
                   mlir::DenseI64ArrayAttr::get(forward.getContext(), numbers));
}

void markInFlight(ModuleOp program, mlir::FlatSymbolRefAttr group,
                  StagesOp stages, const schedule::Table& table) {
  const StageWorkers workers = workersOf(stages);
  const auto worker = llvm::find(workers.groups, group);
  if (worker == workers.groups.end()) return;
  const std::vector<schedule::StageSlots> slots =
      schedule::slotsOf(table)[worker - workers.groups.begin()];
  for (auto function : program.getOps<FuncOp>()) {
    const std::optional<StageTask> task = taskOf(function);
    if (!task || task->kind != TaskKind::Forward) continue;
    const auto ofStage =
        llvm::find_if(slots, [&](const schedule::StageSlots& known) {
          return known.stage == task->stage;
        });
    if (ofStage != slots.end()) markInFlight(function, *ofStage);
  }
}

ArrayRef<int64_t> inFlightNumbersOf(FuncOp function) {
  auto mark =
      function->getAttrOfType<mlir::DenseI64ArrayAttr>(kInFlightAttrName);
  return mark ? mark.asArrayRef() : ArrayRef<int64_t>();
}

std::optional<schedule::StageSlots> inFlightOf(FuncOp function) {
  const std::optional<StageTask> task = taskOf(function);
  const ArrayRef<int64_t> numbers = inFlightNumbersOf(function);
  if (!task || numbers.size() != std::size(kNumbers)) return std::nullopt;
  schedule::StageSlots slots;
  slots.stage = task->stage;
  for (auto [number, value] : llvm::zip(kNumbers, numbers))
    slots.*number = value;
  return slots;
}

}  // namespace sbp
