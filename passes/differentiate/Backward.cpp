#include "passes/differentiate/Backward.h"

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/differentiate/Activity.h"
#include "passes/differentiate/Layers.h"

namespace sbp {

using mlir::func::CallOp;

namespace {

/// Whether a tensor of type `from` can be repeated to one of type `to`.
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

}  // namespace

Backward::Backward(mlir::Block& target, llvm::DenseSet<Value> active,
                   Layers& layers)
    : builder(target.getParentOp()->getContext(), this),
      active(std::move(active)),
      layers(layers) {
  if (target.mightHaveTerminator())
    builder.setInsertionPoint(target.getTerminator());
  else
    builder.setInsertionPointToEnd(&target);
}

LogicalResult Backward::run(ArrayRef<Operation*> forward) {
  for (Operation* op : forward) ids[op] = numNumbered++;
  for (Operation* op : llvm::reverse(forward)) {
    bool hasGradient = llvm::any_of(
        op->getResults(), [&](Value result) { return gradientOf(result); });
    if (!hasGradient) continue;
    currentId = builder.getI64IntegerAttr(ids[op]);
    LogicalResult visited = visit(op);
    currentId = nullptr;
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
    // Another result is used, this one is not.
    if (!gradient &&
        llvm::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(result))) {
      auto type = llvm::cast<mlir::ShapedType>(result.getType());
      gradient = nn::ConstantOp::create(
          builder, op->getLoc(), type,
          llvm::cast<mlir::ElementsAttr>(builder.getZeroAttr(type)));
    }
    resultGradients.push_back(gradient);
  }
  SmallVector<Value> operandGradients(op->getNumOperands());
  if (failed(differentiable.buildAdjoint(builder, resultGradients,
                                         operandGradients)))
    return failure();
  for (auto [operand, gradient] :
       llvm::zip(op->getOperands(), operandGradients)) {
    if (!gradient) continue;
    if (!broadcastsTo(operand.getType(), gradient.getType()))
      return op->emitOpError()
             << "has an operand of type " << operand.getType()
             << ", to which its adjoint gives a gradient of type "
             << gradient.getType();
    add(operand, gradient);
  }
  op->setAttr(nn::kIdAttrName, currentId);
  return success();
}

LogicalResult Backward::visitCall(CallOp call) {
  LayerNeeds needs = {flagsOf(call.getOperands(), active), {}};
  for (Value result : call.getResults())
    needs.resultGradients.push_back(static_cast<bool>(gradientOf(result)));
  FailureOr<const Layer*> layer = layers.differentiate(call, needs);
  if (failed(layer)) return failure();

  SmallVector<Value> gradientsOfResults;
  for (Value result : call.getResults())
    if (Value gradient = gradientOf(result))
      gradientsOfResults.push_back(gradient);

  OpBuilder atCall(call);
  auto forward = CallOp::create(atCall, call.getLoc(), (*layer)->forward,
                                call.getOperands());
  forward->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  forward->setAttr(nn::kIdAttrName, currentId);
  call.replaceAllUsesWith(
      forward.getResults().take_front(call.getNumResults()));
  call.erase();

  SmallVector<Value> operands;
  for (const Layer::Saved& saved : (*layer)->saved)
    operands.push_back(saved.isArgument ? forward.getOperand(saved.index)
                                        : forward.getResult(saved.index));
  operands.append(gradientsOfResults);
  auto backward =
      CallOp::create(builder, forward.getLoc(), (*layer)->backward, operands);
  size_t numArguments = (*layer)->argumentGradients.size();
  for (auto [argument, gradient] :
       llvm::zip((*layer)->argumentGradients,
                 backward.getResults().take_front(numArguments)))
    add(forward.getOperand(argument), gradient);
  for (auto [name, gradient] :
       llvm::zip((*layer)->parameterGradients,
                 backward.getResults().drop_front(numArguments)))
    addParameter(name, gradient);
  return success();
}

void Backward::add(Value value, Value gradient) {
  if (!active.contains(value)) return;
  gradient = sumTo(value.getType(), gradient);
  Value& sum = gradients[value];
  // The sum belongs to the op that made `value`, not to one that uses it.
  auto made = ids.find(value.getDefiningOp());
  mlir::IntegerAttr idOfUse = currentId;
  currentId = made == ids.end() ? mlir::IntegerAttr()
                                : builder.getI64IntegerAttr(made->second);
  sum = accumulate(sum, gradient);
  currentId = idOfUse;
}

void Backward::addParameter(mlir::StringAttr name, Value gradient) {
  Value& sum = parameters[name];
  sum = accumulate(sum, gradient);
}

Value Backward::accumulate(Value sum, Value term) {
  if (!sum) return term;
  return nn::AddOp::create(builder, term.getLoc(), sum, term);
}

Value Backward::sumTo(Type type, Value gradient) {
  auto target = llvm::cast<RankedTensorType>(type);
  auto source = llvm::cast<RankedTensorType>(gradient.getType());
  int64_t missing = source.getRank() - target.getRank();
  SmallVector<int64_t> repeated;
  for (auto [dim, extent] : llvm::enumerate(source.getShape())) {
    int64_t targetDim = static_cast<int64_t>(dim) - missing;
    int64_t wanted = targetDim < 0 ? 1 : target.getDimSize(targetDim);
    if (extent != wanted) repeated.push_back(dim);
  }
  if (!repeated.empty())
    gradient = nn::ReduceOp::create(builder, gradient.getLoc(),
                                    nn::ReduceKind::Sum, gradient, repeated,
                                    /*keep=*/false, /*count=*/nullptr);
  if (gradient.getType() != target)
    gradient =
        nn::ReshapeOp::create(builder, gradient.getLoc(), target, gradient);
  return gradient;
}

// An op without operands is no part of an adjoint, and unmarked it can be
// merged with its likes.
void Backward::notifyOperationInserted(Operation* op, OpBuilder::InsertPoint) {
  built.push_back(op);
  if (currentId && op->getNumOperands() > 0)
    op->setAttr(nn::kAdjointOfAttrName, currentId);
}

void Backward::eraseUnused() {
  for (Operation* op : llvm::reverse(built))
    if (mlir::isOpTriviallyDead(op)) op->erase();
  built.clear();
}

}  // namespace sbp
