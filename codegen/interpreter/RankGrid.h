// Runs the rank.programs of a module: one thread per rank.
//
// Every rank interprets its program as Interpreter.h does any module, on its
// own parameters; collectives meet at a Rendezvous. What comes out is the
// meaning of the local form, by which compiled programs and the passes that
// make local forms are tested:
//
//   FailureOr<RankGrid> grid = RankGrid::create(module, standardEvaluators());
//   if (failed(grid) || failed(grid->initializeParameters(/*seed=*/1))) ...
//   FailureOr<Results> loss = grid->runWhole("loss", {x, t});
//
// Where the module has a schedule (sbp.schedule), each rank runs its
// micro-batches in that order (PipelinedRepeat.h).
//
// Whole tensors are cut and assembled as the programs say what they have parts
// of (passes/localize/WholeProgram.h).

#ifndef CODEGEN_INTERPRETER_RANKGRID_H_
#define CODEGEN_INTERPRETER_RANKGRID_H_

#include <optional>
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

class RankGrid {
 public:
  /// The ranks of the mesh on which the rank.programs of `module` run; the
  /// module outlives the grid. Fails after one diagnostic: there is no
  /// rank.program, they are on several meshes, a rank has none, or the schedule
  /// cannot be run.
  static FailureOr<RankGrid> create(ModuleOp module, Evaluators evaluators);

  int64_t numRanks() const { return static_cast<int64_t>(programs_.size()); }

  /// The function `name`, whole: a declaration, with types that are not placed.
  /// Fails with a diagnostic when there is none.
  FailureOr<mlir::func::FuncOp> wholeEntry(StringRef name);

  /// The parameters of each rank.
  std::vector<Parameters>& parameters() { return parameters_; }

  /// Gives every rank its part of the parameters' initial values. Fails with a
  /// diagnostic, as wholeParameters() and runWhole() do, where programs do not
  /// say what they have parts of.
  LogicalResult initializeParameters(uint64_t seed);

  /// The parameters, assembled. Fails with a diagnostic when ranks disagree.
  FailureOr<Parameters> wholeParameters();

  /// The results of function `entry` on every rank, given the arguments of
  /// every rank. Fails after one diagnostic, which names the rank, when one
  /// fails.
  FailureOr<std::vector<Results>> run(
      StringRef entry, const std::vector<SmallVector<Tensor>>& arguments);

  /// Cuts whole arguments, runs `entry`, and assembles its results. Partial
  /// arguments are cut into random terms, drawn from `seed`.
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

  /// What the programs are parts of, found when it is first asked for.
  FailureOr<const WholeProgram*> whole();
  /// The signature of `entry`. Fails with a diagnostic if there is none.
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
