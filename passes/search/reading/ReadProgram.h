// Reading an entry of a program, and all functions that it calls, as decisions.
//
// Decisions are the ops of the forward program, and the placements of arguments
// and parameters. An op of the backward program follows the forward op whose
// gradients it computes (Follow.h). A sum that adds up the gradient of a tensor
// has the placement of this gradient. Ops that differ only in one operand, and
// apply to the same tensor, are tied: they run alike.
//
// A function that is called many times is read once, because its calls are
// placed alike. Its costs count as often as it runs.
//
// A backward function gets values of the forward function with these
// placements:
//
//   an argument    as the forward function gets it
//   another value  as its first use in the backward function wants it; the
//                  forward function returns it in this placement

#ifndef PASSES_SEARCH_READING_READPROGRAM_H_
#define PASSES_SEARCH_READING_READPROGRAM_H_

#include "dialects/sbp/Device.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/plan/Plan.h"
#include "passes/search/decisions/DecisionGraph.h"
#include "passes/search/run/SearchRun.h"
#include "passes/search/symmetry/AxisTies.h"

namespace sbp::search {

/// The decisions of a program, and the slots of its tensors.
struct ProgramDecisions {
  DecisionGraph graph;
  llvm::DenseMap<mlir::StringAttr, Slot> parameters;
  llvm::DenseMap<Value, Slot> arguments;
  /// First slot of each op. The slots of its operands follow each other from
  /// there, and then those of its results.
  llvm::DenseMap<Operation*, Slot> ops;
  /// Slots of operands of returns whose placement is not the one in which the
  /// tensor was made.
  llvm::DenseMap<mlir::OpOperand*, Slot> returned;
  /// Ties of axes, which are needed if there would be too many states.
  AxisTies ties = AxisTies::None;

  /// Whether the graph has every plan of the program.
  bool isWhole() const { return ties == AxisTies::None; }
};

/// Reads `entry`, a differentiated program without placements, to place it on
/// `mesh`, whose devices are like `device`. A decision with a pin, of a tensor
/// or of a signature, has one state, and so has a decision that `plan` has
/// made. Fails with a diagnostic if a decision has no state, or if the mesh has
/// more than kMaxAxes axes of several devices (MaxAxes.h).
///
/// Ops may have too many signatures to read all, or to read all before `run` is
/// over. Then reads only the signatures in which all axes of a level do the
/// same; if these are too many, only those in which all axes do the same.
FailureOr<ProgramDecisions> readProgram(mlir::func::FuncOp entry,
                                        const mlir::SymbolTable& symbols,
                                        const Mesh& mesh, const Device& device,
                                        const Plan& plan, const SearchRun& run);

/// Adds to `plan` the placements and signatures of `assignment`, a state per
/// decision.
void addToPlan(const ProgramDecisions& program,
               const std::vector<int32_t>& assignment, Plan& plan);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_READPROGRAM_H_
