#include "codegen/interpreter/Interpreter.h"

#include "dialects/nn/Calls.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/ScopeExit.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp::interpreter {
namespace {

/// Fails, with a diagnostic at `op` that names `what` and `index`, unless
/// `tensor` is of type `expected`, placement aside.
LogicalResult checkType(Operation* op, StringRef what, size_t index,
                        const Tensor& tensor, Type expected) {
  auto type = llvm::dyn_cast<RankedTensorType>(expected);
  if (type && withPlacement(type, nullptr) == tensor.type()) return success();
  return op->emitOpError() << what << " " << index << " is declared as "
                           << expected << " but is a " << tensor.type();
}

SmallVector<Tensor> valuesOf(ValueRange values,
                             const Environment& environment) {
  return llvm::map_to_vector(
      values, [&](Value value) { return environment.lookup(value); });
}

/// Returns the arguments of a call's function: `operands`, then zeros, with
/// which the values start that an nn.repeat carries.
SmallVector<Tensor> argumentsOf(mlir::CallOpInterface call,
                                ArrayRef<Tensor> operands) {
  auto arguments = llvm::to_vector(operands);
  for (Value carried : call->getResults().take_front(nn::numCarried(call)))
    arguments.push_back(Tensor::splat(
        withPlacement(llvm::cast<RankedTensorType>(carried.getType()), nullptr),
        0));
  return arguments;
}

}  // namespace

FailureOr<Results> Interpreter::run(StringRef name,
                                    ArrayRef<Tensor> arguments) {
  auto function = llvm::dyn_cast_if_present<mlir::func::FuncOp>(
      mlir::SymbolTable::lookupSymbolIn(symbolTable_, name));
  if (!function)
    return symbolTable_->emitError()
           << "there is no function '" << name << "' here";
  return run(function, arguments);
}

LogicalResult Interpreter::check(mlir::func::FuncOp function,
                                 ArrayRef<Tensor> arguments) {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError()
           << "has " << function.getBody().getBlocks().size()
           << " blocks; the interpreter runs functions of one";
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError()
           << "takes " << function.getNumArguments()
           << " arguments but is given " << arguments.size();
  if (llvm::is_contained(callers_, function.getOperation()))
    return function.emitOpError() << "calls itself";
  for (auto [index, argument] : llvm::enumerate(function.getArguments()))
    if (failed(checkType(function, "argument", index, arguments[index],
                         argument.getType())))
      return failure();
  return success();
}

FailureOr<Results> Interpreter::run(mlir::func::FuncOp function,
                                    ArrayRef<Tensor> arguments) {
  if (failed(check(function, arguments))) return failure();
  Environment environment;
  for (auto [argument, value] : llvm::zip(function.getArguments(), arguments))
    environment[argument] = value;
  callers_.push_back(function);
  llvm::scope_exit leave([&] { callers_.pop_back(); });
  mlir::Block& body = function.getBody().front();
  for (auto op = body.begin(); op != body.end(); ++op) {
    if (llvm::isa<mlir::func::ReturnOp>(*op))
      return Results(valuesOf(op->getOperands(), environment));
    if (auto repeat = llvm::dyn_cast<nn::RepeatOp>(*op)) {
      PipesOfRank pipes(repeat, mlir::SymbolTable(symbolTable_),
                        pipeline_ != nullptr);
      for (nn::RepeatOp pipe : pipes.alone)
        if (failed(evaluate(*pipe, environment))) return failure();
      if (failed(runPipeline(pipes.together, environment))) return failure();
      op = pipes.last->getIterator();
    } else if (failed(evaluate(*op, environment))) {
      return failure();
    }
  }
  return function.emitOpError() << "does not return";
}

LogicalResult Interpreter::runPipeline(ArrayRef<nn::RepeatOp> repeats,
                                       Environment& environment) {
  if (repeats.empty()) return success();
  mlir::SymbolTable symbols(symbolTable_);
  const std::optional<int64_t> outer = repetition_;
  const size_t numCallers = callers_.size();
  llvm::scope_exit leave([&] {
    repetition_ = outer;
    callers_.resize(numCallers);
  });
  auto evaluateFor = [&](Operation& inside, int64_t microBatch,
                         Environment& values) {
    repetition_ = microBatch;
    return evaluate(inside, values);
  };
  std::vector<RepeatedTasks> tasks;
  for (nn::RepeatOp repeat : repeats) tasks.emplace_back(repeat, symbols);
  std::vector<PipelinedRepeat> pipes;
  for (const RepeatedTasks& ofPipe : tasks) {
    SmallVector<Tensor> arguments = argumentsOf(
        ofPipe.repeat(), valuesOf(ofPipe.repeat()->getOperands(), environment));
    if (failed(check(ofPipe.function(), arguments))) return failure();
    pipes.emplace_back(ofPipe, std::move(arguments), evaluateFor);
    callers_.push_back(ofPipe.function());
  }
  if (failed(runPipes(pipes, tasks, *pipeline_))) return failure();
  for (auto [repeat, pipe] : llvm::zip(repeats, pipes))
    for (auto [result, value] :
         llvm::zip(nn::RepeatOp(repeat).getResults(), pipe.results()))
      environment[result] = value;
  return success();
}

LogicalResult Interpreter::evaluate(Operation& op, Environment& environment) {
  FailureOr<Results> results =
      evaluate(&op, valuesOf(op.getOperands(), environment));
  if (failed(results)) return failure();
  if (results->size() != op.getNumResults())
    return op.emitOpError() << "has " << op.getNumResults()
                            << " results but evaluates to " << results->size();
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    const Tensor& value = (*results)[index];
    if (failed(checkType(&op, "result", index, value, result.getType())))
      return failure();
    environment[result] = value;
  }
  return success();
}

FailureOr<Results> Interpreter::evaluate(Operation* op,
                                         ArrayRef<Tensor> operands) {
  if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
    return this->call(call, operands);
  if (auto repetition = llvm::dyn_cast<nn::RepetitionOp>(op))
    return this->repetition(repetition);
  if (auto get = llvm::dyn_cast<nn::GetOp>(op)) return this->get(get);
  if (auto set = llvm::dyn_cast<nn::SetOp>(op))
    return this->set(set, operands[0]);
  if (auto fused = llvm::dyn_cast<rank::FusedOp>(op))
    return this->fused(fused, operands);
  if (const Evaluator* evaluator = evaluators_.find(op))
    return (*evaluator)(op, operands);
  return op->emitOpError() << "has no evaluator; the interpreter cannot run it";
}

FailureOr<Results> Interpreter::call(mlir::CallOpInterface op,
                                     ArrayRef<Tensor> operands) {
  mlir::FlatSymbolRefAttr name = nn::calleeOf(op);
  auto callee = llvm::dyn_cast_if_present<mlir::func::FuncOp>(
      mlir::SymbolTable::lookupSymbolIn(symbolTable_, name));
  if (!callee)
    return op->emitOpError()
           << "calls " << name << ", which is no function here";
  SmallVector<Tensor> given = argumentsOf(op, operands);
  auto repeat = llvm::dyn_cast<nn::RepeatOp>(*op);
  if (!repeat) return run(callee, given);
  const std::optional<int64_t> outer = repetition_;
  llvm::scope_exit leave([&] { repetition_ = outer; });
  FailureOr<Results> results = failure();
  for (int64_t number : repeat.numbers()) {
    repetition_ = number;
    results = run(callee, given);
    if (failed(results)) return failure();
    llvm::copy(*results, given.end() - results->size());
  }
  return results;
}

FailureOr<Results> Interpreter::repetition(nn::RepetitionOp op) {
  if (!repetition_)
    return op.emitOpError() << "stands outside of repeated functions";
  return Results{Tensor::splat(
      withPlacement(llvm::cast<RankedTensorType>(op.getType()), nullptr),
      static_cast<double>(*repetition_))};
}

FailureOr<Results> Interpreter::fused(rank::FusedOp op,
                                      ArrayRef<Tensor> operands) {
  Environment environment;
  mlir::Block& body = op.getBody().front();
  for (auto [argument, value] : llvm::zip(body.getArguments(), operands))
    environment[argument] = value;
  for (Operation& inside : body.without_terminator())
    if (failed(evaluate(inside, environment))) return failure();
  return Results(valuesOf(body.getTerminator()->getOperands(), environment));
}

namespace {

/// Returns the name under which a parameter's value of `before` steps ago is
/// kept.
std::string nameOf(StringRef parameter, int64_t before) {
  return before == 0 ? parameter.str()
                     : (parameter + "@-" + llvm::Twine(before)).str();
}

}  // namespace

FailureOr<Results> Interpreter::get(nn::GetOp op) {
  auto before = static_cast<int64_t>(op.getBefore());
  int64_t& kept = numKept_[op.getName()];
  kept = std::max(kept, before);
  // In the first steps no value is as old; reads the oldest one.
  auto parameter = parameters_.find(nameOf(op.getName(), before));
  while (parameter == parameters_.end() && before > 0)
    parameter = parameters_.find(nameOf(op.getName(), --before));
  if (parameter == parameters_.end())
    return op.emitOpError() << "reads the parameter '" << op.getName()
                            << "', which has no value";
  return Results{parameter->second};
}

FailureOr<Results> Interpreter::set(nn::SetOp op, const Tensor& value) {
  StringRef name = op.getName();
  for (int64_t before = numKept_.lookup(name); before > 0; --before)
    if (auto later = parameters_.find(nameOf(name, before - 1));
        later != parameters_.end())
      parameters_[nameOf(name, before)] = Tensor(later->second);
  parameters_[name.str()] = value;
  return Results{};
}

}  // namespace sbp::interpreter
