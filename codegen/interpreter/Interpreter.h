// Runs functions of nn without compiling them.
//
// The interpreter walks a function op by op, and computes each by the table of
// evaluators. It knows only what is not an op on tensors: calls, returns, and
// the parameters that nn.get reads and nn.set writes.
//
//   Evaluators evaluators = standardEvaluators();
//   Parameters parameters = initialParameters(module, /*seed=*/1);
//   Interpreter interpreter(module, evaluators, parameters);
//   FailureOr<Results> loss = interpreter.run("loss", {x, t});
//
// Whole or local, placed or not: a placement says where a tensor lies, not what
// its value is, so a placed program of whole tensors runs as if it had none.
// The program of a rank runs through RankGrid.h, which adds the collectives.

#ifndef CODEGEN_INTERPRETER_INTERPRETER_H_
#define CODEGEN_INTERPRETER_INTERPRETER_H_

#include "codegen/interpreter/Evaluators.h"
#include "codegen/interpreter/Parameters.h"
#include "codegen/interpreter/PipelinedRepeat.h"
#include "codegen/interpreter/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/stages/PipelineOrder.h"

namespace sbp::interpreter {

class Interpreter {
 public:
  /// Runs the functions of `symbolTable`, a module or a rank.program, on the
  /// values in `parameters`. All outlive the interpreter. What a rank.program
  /// repeats runs in the order of `pipeline`, if there is one.
  Interpreter(Operation* symbolTable, const Evaluators& evaluators,
              Parameters& parameters, const PipelineOrder* pipeline = nullptr)
      : symbolTable_(symbolTable),
        evaluators_(evaluators),
        parameters_(parameters),
        pipeline_(pipeline) {}

  /// The results of the function `name`. Fails after one diagnostic: there is
  /// no such function, the arguments are not of its types, an op has no
  /// evaluator or its evaluator failed, a function calls itself.
  FailureOr<Results> run(StringRef name, ArrayRef<Tensor> arguments);

  /// Of what is repeated, the number of the time that is being run.
  std::optional<int64_t> repetition() const { return repetition_; }

 private:
  FailureOr<Results> run(mlir::func::FuncOp function,
                         ArrayRef<Tensor> arguments);
  LogicalResult check(mlir::func::FuncOp function, ArrayRef<Tensor> arguments);
  /// Runs the pipes `repeats` together, and adds their results.
  LogicalResult runPipeline(ArrayRef<nn::RepeatOp> repeats,
                            Environment& environment);
  /// Evaluates `op` on what `environment` has, and adds its results.
  LogicalResult evaluate(Operation& op, Environment& environment);
  FailureOr<Results> evaluate(Operation* op, ArrayRef<Tensor> operands);
  FailureOr<Results> call(mlir::CallOpInterface op, ArrayRef<Tensor> operands);
  FailureOr<Results> repetition(nn::RepetitionOp op);
  FailureOr<Results> get(nn::GetOp op);
  FailureOr<Results> set(nn::SetOp op, const Tensor& value);

  Operation* symbolTable_;
  const Evaluators& evaluators_;
  Parameters& parameters_;
  const PipelineOrder* pipeline_;
  /// How many steps back parameters are read, by name.
  llvm::StringMap<int64_t> numKept_;
  /// Of what is repeated, and is being run.
  std::optional<int64_t> repetition_;
  /// The functions that are being run, outermost first.
  SmallVector<Operation*> callers_;
};

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_INTERPRETER_H_
