// Runs the rank.programs of a module, one thread per rank.
//
// Every rank interprets its program (Interpreter.h), on its own parameters;
// collectives exchange tensors at a Rendezvous. The results define the meaning
// of the local form. Compiled programs, and the passes that make local forms,
// are tested against the grid:
//
//   FailureOr<RankGrid> grid = RankGrid::create(module, standardEvaluators());
//   if (failed(grid) || failed(grid->initializeParameters(/*seed=*/1))) ...
//   FailureOr<Results> loss = grid->runWhole("loss", {x, t});
//
// If the module has a schedule (sbp.schedule), each rank runs its tasks of the
// pipeline in the order of the schedule (PipelinedRepeat.h). Training steps do
// not overlap, even if the schedule lets them: the results are the same.
//
// Whole tensors are cut into the ranks' parts, and assembled from them, as the
// programs state (passes/localize/WholeProgram.h).

#ifndef CODEGEN_INTERPRETER_RANKGRID_H_
#define CODEGEN_INTERPRETER_RANKGRID_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Parameters.h"
#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/localize/WholeProgram.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp::interpreter {

/// All ranks of a module, with their programs and parameters.
///
/// All functions except create(), parameters() and run() use what the programs
/// state about whole tensors. They fail with a diagnostic if the programs do
/// not state it, or contradict each other.
class RankGrid {
 public:
  /// Makes a grid of all ranks of the mesh that the rank.programs of `module`
  /// name. The module must outlive the grid. Fails after one diagnostic if
  /// there is no rank.program, if they name several meshes, if a rank of the
  /// mesh has no rank.program, or if the schedule cannot be run.
  static FailureOr<RankGrid> create(ModuleOp module, Evaluators evaluators);

  int64_t numRanks() const { return static_cast<int64_t>(programs_.size()); }

  /// Returns the names of the entries.
  FailureOr<std::vector<std::string>> entryNames();

  /// Returns a declaration of the entry `name` with the types of its whole
  /// tensors, without placements. The grid owns the declaration. Fails with a
  /// diagnostic if there is no such entry.
  FailureOr<mlir::func::FuncOp> wholeEntry(StringRef name);

  /// Returns the ranks' parts of the parameters, by rank.
  std::vector<Parameters>& parameters() { return parameters_; }

  /// Gives every rank its parts of the parameters' initial values.
  LogicalResult initializeParameters(uint64_t seed);

  /// Returns the whole parameters, assembled from the ranks' parts. Fails with
  /// a diagnostic if copies that should be equal differ between ranks.
  FailureOr<Parameters> wholeParameters();

  /// Runs the function `entry` on every rank: rank r on the local tensors
  /// `arguments[r]`. Blocks until all ranks are done, and returns their local
  /// results, by rank. If a rank fails, all fail, after one diagnostic, which
  /// names the rank.
  FailureOr<std::vector<Results>> run(
      StringRef entry, const std::vector<SmallVector<Tensor>>& arguments);

  /// Cuts whole arguments into the ranks' parts, runs `entry` on these, and
  /// returns the whole results. Partial arguments are cut into random terms,
  /// drawn from `seed` (Shards.h). Fails after a diagnostic if there is no such
  /// entry, if the arguments are not of its whole types, if run() fails, or if
  /// copies of a result or of a parameter that should be equal differ between
  /// ranks.
  FailureOr<Results> runWhole(StringRef entry, ArrayRef<Tensor> arguments,
                              uint64_t seed = 0);

 private:
  RankGrid(ModuleOp module, Evaluators evaluators,
           std::vector<rank::ProgramOp> programs,
           std::optional<PipelineOrder> pipeline)
      : module_(module),
        evaluators_(std::move(evaluators)),
        programs_(std::move(programs)),
        pipeline_(std::move(pipeline)),
        parameters_(programs_.size()) {}

  /// Returns the whole program, which is computed from the programs of the
  /// ranks at the first call.
  FailureOr<const WholeProgram*> whole();
  /// Returns the entry `entry`, with the types of its whole tensors. Fails with
  /// a diagnostic if there is none.
  FailureOr<const WholeEntry*> entryNamed(StringRef entry);

  ModuleOp module_;
  std::optional<WholeProgram> whole_;
  std::vector<mlir::OwningOpRef<mlir::func::FuncOp>> declared_;
  Evaluators evaluators_;
  std::vector<rank::ProgramOp> programs_;  // by rank
  std::optional<PipelineOrder> pipeline_;
  std::vector<Parameters> parameters_;  // by rank
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANKGRID_H_
