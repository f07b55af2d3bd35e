// Reading an entry of a program, and all that it calls, as decisions.
//
// Decisions are the ops of the forward program, the layout of arguments and
// that of parameters. Ops of the backward program follow (Follow.h) the forward
// op whose gradients they compute; sums of gradients of one tensor lie as that
// gradient. Ops alike in all but one operand, which they apply to the same
// tensor, are twins and run alike.
//
// A function that is called many times is read once: its calls are placed
// alike. What it costs counts as often as it runs.
//
// What the backward function is given of the forward one:
//   an argument    as the forward function takes it
//   another value  as it is used there first; the forward function returns it
//   so

#ifndef PASSES_SEARCH_PROGRAM_READPROGRAM_H_
#define PASSES_SEARCH_PROGRAM_READPROGRAM_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/plan/Plan.h"
#include "passes/search/SearchRun.h"
#include "passes/search/program/AxisTies.h"
#include "passes/search/program/DecisionGraph.h"

namespace sbp::search {

/// The decisions of a program, and where in it each slot is.
struct ProgramDecisions {
  DecisionGraph graph;
  llvm::DenseMap<mlir::StringAttr, Slot> parameters;
  llvm::DenseMap<Value, Slot> arguments;
  /// The first slot of an op; its operands have the slots from there on, then
  /// its results.
  llvm::DenseMap<Operation*, Slot> ops;
  /// What functions return otherwise than it was made.
  llvm::DenseMap<mlir::OpOperand*, Slot> returned;
  /// Which axes do the same in all states, since there would be too many.
  AxisTies ties = AxisTies::None;

  /// Whether every plan is one of the graph.
  bool isWhole() const { return ties == AxisTies::None; }
};

/// Reads `entry`, a differentiated program without placements that is to be
/// placed on `mesh`, a mesh of devices like `device`. Pins of tensors and of
/// signatures, and what `plan` says already, leave one state. Fails with a
/// diagnostic when no state is left, or when the mesh has more than eight axes.
///
/// Where ops run in too many ways to read them all, or to read them before
/// `run` is over, those are read in which the axes of a level do the same; if
/// need be, those in which all axes do.
FailureOr<ProgramDecisions> readProgram(mlir::func::FuncOp entry,
                                        const mlir::SymbolTable& symbols,
                                        const Mesh& mesh, const Device& device,
                                        const Plan& plan, const SearchRun& run);

/// Adds to `plan` what `assignment`, a state per decision, says.
void addToPlan(const ProgramDecisions& program,
               const std::vector<int32_t>& assignment, Plan& plan);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_READPROGRAM_H_
