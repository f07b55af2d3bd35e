#include "passes/microbatches/MicroBatches.h"

#include <string>

#include "dialects/nn/Calls.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/SetVector.h"
#include "passes/diagnostics/HeldDiagnostics.h"
#include "passes/microbatches/DeferredLeaves.h"
#include "passes/microbatches/MicroBatchFunctions.h"
#include "passes/module/BodyType.h"
#include "passes/module/CallCounts.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

/// Returns the component of each input along the micro-batches.
std::vector<Component> componentsOf(const BatchInputs& inputs) {
  std::vector<Component> components;
  for (bool isDivided : inputs.isDivided)
    components.push_back(isDivided ? Component::split(0)
                                   : Component::broadcast());
  return components;
}

/// A parameter that a micro-batch reads, and the stage that reads it; nullopt
/// if the reader belongs to no stage.
using ReadParameter = std::pair<mlir::StringAttr, std::optional<int64_t>>;

/// Turns the parameters that `microBatchFunction` reads into arguments after
/// all others. A parameter that several stages read becomes one argument per
/// stage.
SmallVector<ReadParameter> takeParameters(FuncOp microBatchFunction) {
  mlir::Block& body = microBatchFunction.getBody().front();
  SmallVector<ReadParameter> read;
  llvm::DenseMap<std::pair<Attribute, Attribute>, Value> arguments;
  for (auto get : llvm::make_early_inc_range(body.getOps<nn::GetOp>())) {
    Value& argument =
        arguments[{get.getNameAttr(), get->getAttr(kStageAttrName)}];
    if (!argument) {
      argument = body.addArgument(get.getType(), get.getLoc());
      std::optional<int64_t> stage;
      if (auto number = get->getAttrOfType<mlir::IntegerAttr>(kStageAttrName))
        stage = number.getInt();
      read.emplace_back(get.getNameAttr().getAttr(), stage);
    }
    get.replaceAllUsesWith(argument);
    get.erase();
  }
  return read;
}

/// Returns the type of a divided input. `batchType` is the type of the input,
/// whose dimension 0 runs over samples. The result has a dimension of
/// micro-batches (Batch::dividedShape).
RankedTensorType dividedType(Type batchType, const Batch& batch) {
  auto type = llvm::cast<RankedTensorType>(batchType);
  return RankedTensorType::get(batch.dividedShape(type.getShape(), 0),
                               type.getElementType());
}

/// Changes `microBatchFunction` to take the whole inputs and to cut its own
/// samples from them. `batchTypes` are the types of the inputs before the
/// division.
void takeSamples(FuncOp microBatchFunction, TypeRange batchTypes,
                 const BatchInputs& inputs) {
  mlir::Block& body = microBatchFunction.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Value number = nn::RepetitionOp::create(
      builder, named("part", microBatchFunction.getLoc()),
      RankedTensorType::get({}, builder.getI64Type()));
  for (auto [index, batchType] : llvm::enumerate(batchTypes)) {
    if (!inputs.isDivided[index]) continue;
    mlir::BlockArgument input = body.getArgument(index);
    auto type = llvm::cast<RankedTensorType>(input.getType());
    SmallVector<mlir::OpOperand*> uses;
    for (mlir::OpOperand& use : input.getUses()) uses.push_back(&use);
    input.setType(dividedType(batchType, inputs.batch));
    std::string name = nameOf(input);
    if (!name.empty()) name = "part of " + name;
    Value own = inputs.batch.buildSlice(builder, named(name, input.getLoc()),
                                        number, input, /*dim=*/0, type);
    for (mlir::OpOperand* use : uses) use->set(own);
  }
}

/// Returns the loss that `entry` computes from its terms. Changes `entry` to
/// return only the terms of the loss.
DeferredValue keepTerms(const MicroBatchFunction& entry) {
  const MicroBatchFunction::Result& loss = entry.results.front();
  FuncOp function = entry.microBatchFunction;
  Operation* end = function.getBody().front().getTerminator();
  DeferredLeaves kept;
  DeferredValue value =
      translateToCaller(loss.deferred.value_or(DeferredValue::term(loss.index)),
                        [&](const DeferredValue& leaf) {
                          return leaf.kind == DeferredValue::Kind::Term
                                     ? kept.sumOf(end->getOperand(leaf.index))
                                     : leaf;
                        });
  end->setOperands(kept.terms());
  return value;
}

/// Writes the functions for a micro-batch of `loss`. Takes the likeliest choice
/// of inputs for which that is possible. If there is none, fails with the
/// diagnostics of the likeliest choice.
FailureOr<std::pair<BatchInputs, std::unique_ptr<MicroBatchFunctions>>>
writeFunctions(FuncOp loss, BatchParts numParts, mlir::SymbolTable& symbols) {
  FailureOr<std::vector<BatchInputs>> choices = batchInputsOf(loss, numParts);
  if (failed(choices)) return failure();
  MLIRContext* context = loss.getContext();
  std::vector<mlir::Diagnostic> likeliest;
  for (const BatchInputs& inputs : *choices) {
    auto functions =
        std::make_unique<MicroBatchFunctions>(inputs.batch, loss, symbols);
    std::vector<mlir::Diagnostic> found;
    bool isWritten = false;
    {
      HeldDiagnostics held(context, HeldDiagnostics::Which::All);
      isWritten = succeeded(functions->of(loss, componentsOf(inputs)));
      found = held.take();
    }
    if (isWritten) {
      emit(context, std::move(found));
      return std::pair(inputs, std::move(functions));
    }
    functions->erase();
    if (likeliest.empty()) likeliest = std::move(found);
  }
  emit(context, std::move(likeliest));
  return failure();
}

}  // namespace

FailureOr<MicroBatches> MicroBatches::divide(FuncOp loss, BatchParts parts,
                                             mlir::SymbolTable& symbols) {
  auto written = writeFunctions(loss, parts, symbols);
  if (failed(written)) return failure();
  auto& [inputs, functions] = *written;
  MicroBatches batches;
  batches.inputs_ = inputs;
  const MicroBatchFunction& entry = **functions->of(loss, componentsOf(inputs));
  batches.microBatchFunction_ = entry.microBatchFunction;
  batches.loss_ = keepTerms(entry);
  for (auto [name, stage] : takeParameters(entry.microBatchFunction)) {
    batches.parameters_.push_back(name);
    batches.stages_.push_back(stage);
  }
  takeSamples(entry.microBatchFunction, loss.getArgumentTypes(), inputs);
  setTypeToBody(entry.microBatchFunction);
  for (const auto& [function, count] : callCounts(loss, symbols))
    batches.batchFunctions_.push_back(function);
  return batches;
}

mlir::OperandRange MicroBatches::terms() const {
  FuncOp function = microBatchFunction_;
  return function.getBody().front().getTerminator()->getOperands();
}

SmallVector<MicroBatches::Parameter> MicroBatches::parametersOf(
    FuncOp microBatchFunction) const {
  SmallVector<Parameter> parameters;
  for (auto [index, name] : llvm::enumerate(parameters_))
    parameters.push_back({name, microBatchFunction.getArgument(
                                    inputs_.isDivided.size() + index)});
  return parameters;
}

void MicroBatches::eraseUnusedBatchFunctions(mlir::SymbolTable& symbols) const {
  mlir::SymbolTableCollection tables;
  mlir::SymbolUserMap users(tables, symbols.getOp());
  llvm::SmallSetVector<FuncOp, 16> unused;
  for (FuncOp function : batchFunctions_)
    if (function.isPrivate() &&
        llvm::all_of(users.getUsers(function), [&](Operation* user) {
          return unused.contains(user->getParentOfType<FuncOp>());
        }))
      unused.insert(function);
  for (FuncOp function : unused) symbols.erase(function);
}

Operation* MicroBatches::userOfSum(int64_t index,
                                   const mlir::SymbolTable& symbols) const {
  mlir::OpOperand* use = findUseOfTerm(loss_, index);
  while (auto call = llvm::dyn_cast<mlir::CallOpInterface>(use->getOwner())) {
    FuncOp callee = nn::calleeOf(call, symbols);
    auto uses = callee.getArgument(use->getOperandNumber()).getUses();
    if (uses.empty()) break;
    use = &*uses.begin();
  }
  return use->getOwner();
}

void MicroBatches::addUp(FuncOp microBatchFunction, ArrayRef<Value> terms) {
  mlir::Block& body = microBatchFunction.getBody().front();
  Operation* end = body.getTerminator();
  OpBuilder builder(end);
  SmallVector<Value> carried;
  for (Value term : terms) {
    // Add each term as soon as it is made, so that the memory of the term can
    // be reused.
    if (Operation* maker = term.getDefiningOp())
      builder.setInsertionPointAfter(maker);
    else
      builder.setInsertionPointToStart(&body);
    Value sum = body.addArgument(term.getType(), locationOf(term));
    carried.push_back(nn::AddOp::create(builder, locationOf(term), sum, term));
  }
  end->setOperands(carried);
  setTypeToBody(microBatchFunction);
}

int64_t MicroBatches::delayOf(mlir::StringAttr parameter,
                              ArrayRef<int64_t> delays) const {
  int64_t most = 0;
  for (auto [name, stage] : llvm::zip_equal(parameters_, stages_))
    if (name == parameter && stage &&
        *stage < static_cast<int64_t>(delays.size()))
      most = std::max(most, delays[*stage]);
  return most;
}

SmallVector<Value> MicroBatches::repeat(OpBuilder& builder, FuncOp function,
                                        FuncOp microBatchFunction,
                                        ValueRange factors,
                                        ArrayRef<int64_t> delays) const {
  SmallVector<Value> operands;
  for (auto [isDivided, input] :
       llvm::zip_first(inputs_.isDivided, function.getArguments()))
    operands.push_back(
        isDivided ? Value(nn::ReshapeOp::create(
                        builder, input.getLoc(),
                        dividedType(input.getType(), inputs_.batch), input))
                  : input);
  for (auto [name, argument] : parametersOf(microBatchFunction))
    operands.push_back(nn::GetOp::create(builder, argument.getLoc(),
                                         argument.getType(), name.getValue(),
                                         delayOf(name, delays)));
  llvm::append_range(operands, factors);
  mlir::OperandRange returned =
      microBatchFunction.getBody().front().getTerminator()->getOperands();
  auto repeat = nn::RepeatOp::create(
      builder, microBatchFunction.getLoc(), returned.getTypes(),
      inputs_.batch.numMicroBatches, microBatchFunction.getName(), operands);
  nameResults(repeat, llvm::map_to_vector(returned, nameOf));
  return SmallVector<Value>(repeat.getResults());
}

Value MicroBatches::buildLoss(OpBuilder& builder, FuncOp function,
                              ValueRange sums) const {
  return buildDeferred(builder, loss_, sums,
                       function.getBody().front().getArguments());
}

void MicroBatches::rewrite(FuncOp loss) const {
  addUp(microBatchFunction_, SmallVector<Value>(terms()));
  mlir::Block& body = loss.getBody().front();
  Operation* end = body.getTerminator();
  SmallVector<Operation*> before;
  for (Operation& op : body.without_terminator()) before.push_back(&op);
  OpBuilder builder(end);
  end->setOperands(
      buildLoss(builder, loss, repeat(builder, loss, microBatchFunction_)));
  // The new ops are copies, so the old ones can be erased.
  for (Operation* op : llvm::reverse(before)) op->erase();
}

}  // namespace sbp
