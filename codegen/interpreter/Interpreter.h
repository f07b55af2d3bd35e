// Runs functions of nn without compiling them.
//
// The interpreter walks a function op by op, and computes each op by the table
// of evaluators. It runs only a few ops itself: calls and nn.repeat, returns,
// nn.repetition, rank.fused, and nn.get and nn.set, which read and write
// parameters.
//
//   Evaluators evaluators = standardEvaluators();
//   Parameters parameters = initialParameters(module, /*seed=*/1);
//   Interpreter interpreter(module, evaluators, parameters);
//   FailureOr<Results> loss = interpreter.run("loss", {x, t});
//
// A placement says where a tensor lies, not what its value is, so a placed
// program of whole tensors runs as if it had no placements. RankGrid.h runs the
// programs of ranks: it adds evaluators of collectives.

#ifndef CODEGEN_INTERPRETER_INTERPRETER_H_
#define CODEGEN_INTERPRETER_INTERPRETER_H_

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Parameters.h"
#include "codegen/interpreter/PipelinedRepeat.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/rank/Rank.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp::interpreter {

/// Runs the functions of one module or rank.program.
class Interpreter {
 public:
  /// Makes an interpreter for the functions of `symbolTable`, a module or a
  /// rank.program, which read and write `parameters`. Functions that a
  /// rank.program repeats run in the order of `pipeline`, if it is not null
  /// (PipelinedRepeat.h). All arguments must outlive the interpreter.
  Interpreter(Operation* symbolTable, const Evaluators& evaluators,
              Parameters& parameters, const PipelineOrder* pipeline = nullptr)
      : symbolTable_(symbolTable),
        evaluators_(evaluators),
        parameters_(parameters),
        pipeline_(pipeline) {}

  /// Runs the function `name`, and returns its results. Fails after one
  /// diagnostic (without one if another rank has failed) if there is no such
  /// function, the arguments are not of its types, an op has no evaluator, its
  /// evaluator fails or returns other types than the op's, a parameter has no
  /// value, a function has no body or several blocks, or a function calls
  /// itself.
  FailureOr<Results> run(StringRef name, ArrayRef<Tensor> arguments);

  /// Returns the index of the current iteration of the nn.repeat that is
  /// running; nullopt if none is. In a pipeline this index is the micro-batch.
  std::optional<int64_t> repetition() const { return repetition_; }

 private:
  FailureOr<Results> run(mlir::func::FuncOp function,
                         ArrayRef<Tensor> arguments);
  /// Fails with a diagnostic if `function` cannot run on `arguments`.
  LogicalResult check(mlir::func::FuncOp function, ArrayRef<Tensor> arguments);
  /// Runs `repeats`, the pipes of one schedule, together, and adds their
  /// results to `environment`.
  LogicalResult runPipeline(ArrayRef<nn::RepeatOp> repeats,
                            Environment& environment);
  /// Evaluates `op` on values of `environment`, and adds the results to
  /// `environment`.
  LogicalResult evaluate(Operation& op, Environment& environment);
  FailureOr<Results> evaluate(Operation* op, ArrayRef<Tensor> operands);
  FailureOr<Results> call(mlir::CallOpInterface op, ArrayRef<Tensor> operands);
  FailureOr<Results> repetition(nn::RepetitionOp op);
  FailureOr<Results> get(nn::GetOp op);
  FailureOr<Results> set(nn::SetOp op, const Tensor& value);
  FailureOr<Results> fused(rank::FusedOp op, ArrayRef<Tensor> operands);

  Operation* symbolTable_;
  const Evaluators& evaluators_;
  Parameters& parameters_;
  const PipelineOrder* pipeline_;
  /// Number of earlier values that are kept of each parameter, by name: the
  /// largest number of steps that an nn.get has gone back so far.
  llvm::StringMap<int64_t> numKept_;
  std::optional<int64_t> repetition_;  // see repetition()
  /// Functions that are running, outermost first.
  SmallVector<Operation*> callers_;
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_INTERPRETER_H_
