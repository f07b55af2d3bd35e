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
// Whole tensors are cut and assembled by the attributes `rank.whole` of the
// programs.

#ifndef CODEGEN_INTERPRETER_RANKGRID_H_
#define CODEGEN_INTERPRETER_RANKGRID_H_

#include <vector>

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Parameters.h"
#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::interpreter {

class RankGrid {
 public:
  /// The ranks of the mesh on which the rank.programs of `module` run; the
  /// module outlives the grid. Fails after one diagnostic: there is no
  /// rank.program, they are on several meshes, a rank has none.
  static FailureOr<RankGrid> create(ModuleOp module, Evaluators evaluators);

  const Mesh& mesh() const { return mesh_; }
  int64_t numRanks() const { return static_cast<int64_t>(programs_.size()); }

  /// The parameters of each rank.
  std::vector<Parameters>& parameters() { return parameters_; }

  /// Gives every rank its part of the parameters' initial values. Fails with a
  /// diagnostic at a parameter that does not say what it is a part of.
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
  RankGrid(ModuleOp module, Mesh mesh, Evaluators evaluators,
           std::vector<rank::ProgramOp> programs)
      : module_(module),
        mesh_(std::move(mesh)),
        evaluators_(std::move(evaluators)),
        programs_(std::move(programs)),
        parameters_(programs_.size()) {}

  /// The function `entry` of rank 0, which has the whole types of all.
  FailureOr<mlir::func::FuncOp> entryNamed(StringRef entry);

  ModuleOp module_;
  Mesh mesh_;
  Evaluators evaluators_;
  std::vector<rank::ProgramOp> programs_;  // by rank
  std::vector<Parameters> parameters_;     // by rank
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_RANKGRID_H_
