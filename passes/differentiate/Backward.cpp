#include "passes/differentiate/Backward.h"

#include <string>
#include <vector>

#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/adjoints/Term.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

/// Whether a tensor of type `from` broadcasts to type `to`.
bool broadcastsTo(Type from, Type to) {
  auto source = llvm::dyn_cast<RankedTensorType>(from);
  auto target = llvm::dyn_cast<RankedTensorType>(to);
  if (!source || !target ||
      source.getElementType() != target.getElementType() ||
      source.getRank() > target.getRank())
    return false;
  return llvm::all_of(llvm::zip(source.getShape(),
                                target.getShape().take_back(source.getRank())),
                      [](auto extents) {
                        auto [extent, repeated] = extents;
                        return extent == repeated || extent == 1;
                      });
}

std::string nameOfParameterGradient(mlir::StringAttr parameter) {
  return ("gradient of @" + parameter.getValue()).str();
}

/// Appends to `names` the names of the saved values that `saves`, a function of
/// `layer`, returns from result `first` on. A name is like "%hidden of @layer
/// call 3".
void addNamesOfSaved(StringRef layer, int64_t number, FuncOp saves,
                     size_t first, std::vector<std::string>& names) {
  Operation* end = saves.getBody().front().getTerminator();
  for (Value saved : end->getOperands().drop_front(first)) {
    std::string name = nameOf(saved);
    if (!name.empty())
      name += (" of @" + layer + " call " + llvm::Twine(number)).str();
    names.push_back(name);
  }
}

/// Returns the names of the results of `half`. `forward` must be the call of
/// the forward function of the same layer.
std::vector<std::string> namesOfGradients(CallOp forward,
                                          const BackwardFunction& half) {
  std::vector<std::string> names;
  for (int64_t argument : half.argumentGradients)
    names.push_back(nameOfGradient(forward.getOperand(argument)));
  for (mlir::StringAttr parameter : half.parameterGradients)
    names.push_back(nameOfParameterGradient(parameter));
  FuncOp function = half.function;
  Operation* end = function.getBody().front().getTerminator();
  for (Value kept : end->getOperands().drop_front(names.size()))
    names.push_back(nameOf(kept));
  return names;
}

/// Names the ops of an adjoint after the tensors whose gradients they compute.
/// An op that several gradients need is named after the first of them.
class AdjointNames {
 public:
  explicit AdjointNames(ArrayRef<Operation*> adjoint)
      : adjoint_(adjoint.begin(), adjoint.end()) {}

  void add(Value tensor, Value gradient) {
    Operation* maker = gradient.getDefiningOp();
    if (!adjoint_.contains(maker)) return;
    std::string name = nameOfGradient(tensor);
    std::vector<std::string> names;
    for (Value result : maker->getResults())
      names.push_back(result == gradient || !named_.contains(maker)
                          ? name
                          : nameOf(result));
    nameResults(maker, names);
    nameMakers(maker, name);
  }

 private:
  /// Gives `name` to the ops from which `op` is computed, unless they have
  /// names.
  void nameMakers(Operation* op, const std::string& name) {
    if (!named_.insert(op).second) return;
    for (Value operand : op->getOperands()) {
      Operation* maker = operand.getDefiningOp();
      if (!adjoint_.contains(maker) || named_.contains(maker)) continue;
      nameResults(maker,
                  std::vector<std::string>(maker->getNumResults(), name));
      nameMakers(maker, name);
    }
  }

  llvm::SmallPtrSet<Operation*, 8> adjoint_, named_;
};

}  // namespace

Backward::Backward(mlir::Block& target, llvm::DenseSet<Value> active,
                   llvm::DenseSet<Value> weights, LayerFunctions& layers)
    : builder_(target.getParentOp()->getContext(), this),
      active_(std::move(active)),
      weights_(std::move(weights)),
      layers_(layers) {
  if (target.mightHaveTerminator())
    builder_.setInsertionPoint(target.getTerminator());
  else
    builder_.setInsertionPointToEnd(&target);
}

void Backward::addLoss(Value loss) {
  add(loss, Term(builder_, loss.getLoc(), loss).scalar(1));
}

LogicalResult Backward::run(Operation* first) {
  SmallVector<Operation*> forward;
  Operation* end = first->getBlock()->getTerminator();
  for (Operation* op = first; op != end; op = op->getNextNode())
    forward.push_back(op);
  for (Operation* op : forward) {
    ids_[op] = numNumbered_++;
    if (auto call = llvm::dyn_cast<CallOp>(op))
      callNumbers_[call] = numCalls_[call.getCallee()]++;
  }
  for (Operation* op : llvm::reverse(forward)) {
    bool hasGradient = llvm::any_of(
        op->getResults(), [&](Value result) { return gradientOf(result); });
    if (!hasGradient) continue;
    currentId_ = builder_.getI64IntegerAttr(ids_[op]);
    LogicalResult visited = visit(op);
    currentId_ = nullptr;
    if (failed(visited)) return failure();
  }
  return success();
}

LogicalResult Backward::visit(Operation* op) {
  if (auto get = llvm::dyn_cast<nn::GetOp>(op)) {
    addParameter(get.getNameAttr().getAttr(), gradientOf(get));
    return success();
  }
  if (auto call = llvm::dyn_cast<CallOp>(op)) return visitCall(call);
  auto differentiable = llvm::dyn_cast<nn::DifferentiableOpInterface>(op);
  if (!differentiable)
    return op->emitOpError()
           << "has no adjoint, and the loss depends on a parameter through it";

  SmallVector<Value> resultGradients;
  for (Value result : op->getResults()) {
    Value gradient = gradientOf(result);
    // Another result of the op is used, so the gradient of this one is zero.
    if (!gradient &&
        llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(result))) {
      auto type = llvm::cast<mlir::ShapedType>(result.getType());
      gradient = nn::ConstantOp::create(
          builder_, op->getLoc(), type,
          llvm::cast<mlir::ElementsAttr>(builder_.getZeroAttr(type)));
    }
    resultGradients.push_back(gradient);
  }
  SmallVector<Value> operandGradients(op->getNumOperands());
  size_t numBuilt = built_.size();
  if (failed(differentiable.buildAdjoint(builder_, resultGradients,
                                         operandGradients)))
    return failure();
  if (failed(verifyGradients(differentiable, operandGradients)))
    return failure();
  AdjointNames names(ArrayRef(built_).drop_front(numBuilt));
  for (auto [operand, gradient] :
       llvm::zip(op->getOperands(), operandGradients))
    if (gradient) names.add(operand, gradient);
  for (auto [operand, gradient] :
       llvm::zip(op->getOperands(), operandGradients))
    if (gradient) add(operand, gradient);
  op->setAttr(nn::kIdAttrName, currentId_);
  return success();
}

LogicalResult Backward::verifyGradients(nn::DifferentiableOpInterface op,
                                        ArrayRef<Value> gradients) const {
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    Value gradient = gradients[number];
    if (!gradient && active_.contains(operand) && op.hasGradientFor(number))
      return op->emitOpError()
             << "has an adjoint that leaves out the gradient of operand "
             << number << ", " << operand.getType()
             << ", and the loss depends on a parameter through it; "
                "buildAdjoint "
                "must set it, or hasGradientFor("
             << number << ") be false";
    if (gradient && !broadcastsTo(operand.getType(), gradient.getType()))
      return op->emitOpError()
             << "has an operand of type " << operand.getType()
             << ", to which its adjoint gives a gradient of type "
             << gradient.getType()
             << "; it must have the operand's element type, and its shape or "
                "one "
                "to which that broadcasts";
  }
  return success();
}

LayerNeeds Backward::needsOf(CallOp call) const {
  LayerNeeds needs;
  needs.activeArguments = flagsOf(call.getOperands(), active_);
  for (Value result : call.getResults())
    needs.resultGradients.push_back(static_cast<bool>(gradientOf(result)));
  if (!splitsAllCalls_ && !layers_.asksForHalves(call)) return needs;
  std::vector<bool>& flags = needs.weightArguments.emplace();
  for (Value operand : call.getOperands())
    flags.push_back(active_.contains(operand) && weights_.contains(operand));
  return needs;
}

CallOp Backward::callForward(CallOp call, const Layer& layer) {
  OpBuilder atCall(call);
  auto forward =
      CallOp::create(atCall, call.getLoc(), layer.forward, call.getOperands());
  forward->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  forward->setAttr(nn::kIdAttrName, currentId_);
  std::vector<std::string> names;
  for (Value result : call.getResults()) names.push_back(nameOf(result));
  addNamesOfSaved(call.getCallee(), callNumbers_[call], layer.forward,
                  names.size(), names);
  nameResults(forward, names);
  callNumbers_[forward] = callNumbers_[call];
  call.replaceAllUsesWith(
      forward.getResults().take_front(call.getNumResults()));
  call.erase();
  return forward;
}

// The recomputation is the same op as the forward call, so it has the same
// number.
CallOp Backward::callRecomputation(StringRef name, CallOp forward,
                                   const Layer& layer) {
  auto valueOf = [&](const OperandSource& source) -> Value {
    return source.kind == OperandSource::Kind::Arguments
               ? forward.getOperand(source.index)
               : forward.getResult(source.index);
  };
  const RecomputeFunction& recomputation = layer.recomputation;
  auto again = CallOp::create(
      builder_, forward.getLoc(), recomputation.function,
      llvm::map_to_vector(recomputation.operandSources, valueOf));
  again->removeAttr(nn::kAdjointOfAttrName);
  again->setAttr(nn::kIdAttrName, currentId_);
  std::vector<std::string> names;
  addNamesOfSaved(name, callNumbers_[forward], recomputation.function, 0,
                  names);
  nameResults(again, names);
  return again;
}

LogicalResult Backward::visitCall(CallOp call) {
  FailureOr<const Layer*> layer = layers_.differentiate(call, needsOf(call));
  if (failed(layer)) return failure();
  SmallVector<Value> gradientsOfResults;
  for (Value result : call.getResults())
    gradientsOfResults.push_back(gradientOf(result));

  const StringRef name = call.getCallee();
  CallOp forward = callForward(call, **layer);
  CallOp again, input;
  if ((*layer)->recomputation.function)
    again = callRecomputation(name, forward, **layer);
  auto valueOf = [&](const OperandSource& source) -> Value {
    switch (source.kind) {
      case OperandSource::Kind::Arguments:
        return forward.getOperand(source.index);
      case OperandSource::Kind::Results:
        return forward.getResult(source.index);
      case OperandSource::Kind::Recomputed:
        return again.getResult(source.index);
      case OperandSource::Kind::Gradients:
        return gradientsOfResults[source.index];
      case OperandSource::Kind::Input:
        return input.getResult(source.index);
    }
    llvm_unreachable("a value is found in one of five places");
  };
  for (const BackwardFunction& half : (*layer)->backward) {
    auto backward =
        CallOp::create(builder_, forward.getLoc(), half.function,
                       llvm::map_to_vector(half.operandSources, valueOf));
    nameResults(backward, namesOfGradients(forward, half));
    size_t numArguments = half.argumentGradients.size();
    for (auto [argument, gradient] :
         llvm::zip_first(half.argumentGradients, backward.getResults()))
      add(forward.getOperand(argument), gradient);
    for (auto [name, gradient] :
         llvm::zip_first(half.parameterGradients,
                         backward.getResults().drop_front(numArguments)))
      addParameter(name, gradient);
    input = backward;
  }
  return success();
}

void Backward::add(Value value, Value gradient) {
  if (!active_.contains(value)) return;
  gradient = sumTo(value, gradient);
  Value& sum = gradients_[value];
  Location location = named(nameOfGradient(value), gradient.getLoc());
  // The sum belongs to the op that made `value`, not to the op that uses
  // `value`.
  auto made = ids_.find(value.getDefiningOp());
  mlir::IntegerAttr idOfUse = currentId_;
  currentId_ = made == ids_.end() ? mlir::IntegerAttr()
                                  : builder_.getI64IntegerAttr(made->second);
  sum = accumulate(sum, gradient, location);
  currentId_ = idOfUse;
}

void Backward::addParameter(mlir::StringAttr name, Value gradient) {
  if (!gradient) return;
  Value& sum = parameters_[name];
  sum = accumulate(sum, gradient,
                   named(nameOfParameterGradient(name), gradient.getLoc()));
}

Value Backward::accumulate(Value sum, Value term, Location location) {
  if (!sum) return term;
  return nn::AddOp::create(builder_, location, sum, term);
}

Value Backward::sumTo(Value value, Value gradient) {
  auto target = llvm::cast<RankedTensorType>(value.getType());
  auto source = llvm::cast<RankedTensorType>(gradient.getType());
  int64_t missing = source.getRank() - target.getRank();
  SmallVector<int64_t> repeated;
  for (auto [dim, extent] : llvm::enumerate(source.getShape())) {
    int64_t targetDim = static_cast<int64_t>(dim) - missing;
    int64_t wanted = targetDim < 0 ? 1 : target.getDimSize(targetDim);
    if (extent != wanted) repeated.push_back(dim);
  }
  Location location = named(nameOfGradient(value), gradient.getLoc());
  if (!repeated.empty())
    gradient = nn::ReduceOp::create(builder_, location, nn::ReduceKind::Sum,
                                    gradient, repeated, /*keep=*/false,
                                    /*count=*/nullptr);
  if (gradient.getType() != target)
    gradient = nn::ReshapeOp::create(builder_, location, target, gradient);
  return gradient;
}

// An op without operands is not marked as part of the adjoint. Without a mark
// it can be merged with equal ops.
void Backward::notifyOperationInserted(Operation* op, OpBuilder::InsertPoint) {
  built_.push_back(op);
  if (currentId_ && op->getNumOperands() > 0)
    op->setAttr(nn::kAdjointOfAttrName, currentId_);
}

void Backward::eraseUnused() {
  for (Operation* op : llvm::reverse(built_))
    if (mlir::isOpTriviallyDead(op)) op->erase();
  built_.clear();
}

}  // namespace sbp
