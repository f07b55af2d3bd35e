// Runs the rank.programs of a module, one thread per rank.
//
// Every rank interprets its program as Interpreter.h does any module, on its
// own parameters; collectives exchange tensors at a Rendezvous. The results are
// the meaning of the local form, against which compiled programs and the passes
// that make local forms are tested:
//
//   FailureOr<RankGrid> grid = RankGrid::create(module, standardEvaluators());
//   if (failed(grid) || failed(grid->initializeParameters(/*seed=*/1))) ...
//   FailureOr<Results> loss = grid->runWhole("loss", {x, t});
//
// If the module has a schedule (sbp.schedule), each rank runs its micro-batches
// in that order (PipelinedRepeat.h).
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
class RankGrid {
 public:
  /// Makes a grid of all ranks of the mesh on which the rank.programs of
  /// `module` are. The module must outlive the grid. Fails after one diagnostic
  /// if there is no rank.program, they are on several meshes, a rank has none,
  /// or the schedule cannot be run.
  static FailureOr<RankGrid> create(ModuleOp module, Evaluators evaluators);

  int64_t numRanks() const { return static_cast<int64_t>(programs_.size()); }

  /// Returns the names of the entries. Fails with a diagnostic if the programs
  /// of the ranks contradict each other.
  FailureOr<std::vector<std::string>> entryNames();

  /// Returns a declaration of the entry `name` with its whole types, without
  /// placements; the grid owns it. Fails with a diagnostic if there is no such
  /// entry.
  FailureOr<mlir::func::FuncOp> wholeEntry(StringRef name);

  /// Returns the ranks' parts of the parameters, by rank.
  std::vector<Parameters>& parameters() { return parameters_; }

  /// Gives every rank its parts of the parameters' initial values. Fails with a
  /// diagnostic, as wholeParameters() and runWhole() do, if programs do not
  /// state the whole tensors that they have parts of.
  LogicalResult initializeParameters(uint64_t seed);

  /// Returns the whole parameters, assembled from those of the ranks. Fails
  /// with a diagnostic if copies of ranks differ.
  FailureOr<Parameters> wholeParameters();

  /// Runs the function `entry` on every rank: rank r on the local tensors
  /// `arguments[r]`. Blocks until all ranks are done, and returns their local
  /// results, by rank. If a rank fails, fails after one diagnostic, which names
  /// the rank.
  FailureOr<std::vector<Results>> run(
      StringRef entry, const std::vector<SmallVector<Tensor>>& arguments);

  /// Cuts whole arguments, runs `entry`, and returns its assembled results.
  /// Partial arguments are cut into random terms, drawn from `seed` (Shards.h).
  /// Fails after a diagnostic if run() does, or if copies of a result or of a
  /// parameter differ between ranks.
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

  /// Returns the whole program that the programs of the ranks are parts of;
  /// finds it at the first call.
  FailureOr<const WholeProgram*> whole();
  /// Returns the signature of the entry `entry`. Fails with a diagnostic if
  /// there is none.
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
