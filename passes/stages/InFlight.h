// Marks of the functions of a group's program (passes/placement/GroupProgram.h)
// that tell how much of a stage the group holds at once.
//
// Between a stage's forward and its backward, the forwards of later
// micro-batches run. So the group keeps the activations of several
// micro-batches. Their number follows from the schedule of the whole program
// (passes/schedule/Slots.h), which the program of one group does not have.

#ifndef PASSES_STAGES_INFLIGHT_H_
#define PASSES_STAGES_INFLIGHT_H_

#include <optional>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/schedule/Slots.h"
#include "passes/schedule/Table.h"

namespace sbp {

/// The name of the mark. Has no prefix, since it is no attribute of the
/// dialect: no text has it.
inline constexpr llvm::StringLiteral kInFlightAttrName = "in_flight";

/// Marks `forward`, a function that is the forward task of a stage, with the
/// numbers of its stage that the group holds at once.
void markInFlight(mlir::func::FuncOp forward,
                  const schedule::StageSlots& slots);

/// Marks each forward function of `program`, the program of `group`, with its
/// numbers by `table`, the schedule of the whole program with the stages
/// `stages`.
void markInFlight(ModuleOp program, mlir::FlatSymbolRefAttr group,
                  StagesOp stages, const schedule::Table& table);

/// Returns the numbers with which `function` is marked, without that of its
/// stage; empty if it is not marked. In a program that holds more, each of them
/// is larger or equal.
ArrayRef<int64_t> inFlightNumbersOf(mlir::func::FuncOp function);

/// Returns the numbers with which `function` is marked; nullopt if it is not.
std::optional<schedule::StageSlots> inFlightOf(mlir::func::FuncOp function);

}  // namespace sbp

#endif  // PASSES_STAGES_INFLIGHT_H_
