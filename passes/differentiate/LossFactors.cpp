#include "passes/differentiate/LossFactors.h"

#include <vector>

#include "dialects/nn/Nn.h"
#include "llvm/ADT/BitVector.h"
#include "passes/differentiate/Backward.h"
#include "passes/differentiate/EraseUnused.h"
#include "passes/differentiate/InlineCalls.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

Value zeroOf(OpBuilder& builder, Value value) {
  auto type = llvm::cast<mlir::ShapedType>(value.getType());
  return nn::ConstantOp::create(
      builder, value.getLoc(), type,
      llvm::cast<mlir::ElementsAttr>(builder.getZeroAttr(type)));
}

/// Erases the arguments that the function called by `repeat` does not use.
void eraseUnusedArguments(nn::RepeatOp repeat, FuncOp function) {
  llvm::BitVector unused(function.getNumArguments());
  for (mlir::BlockArgument argument : function.getArguments())
    if (argument.use_empty()) unused.set(argument.getArgNumber());
  (void)function.eraseArguments(unused);
  unused.resize(repeat->getNumOperands());
  repeat->eraseOperands(unused);
}

}  // namespace

FailureOr<SmallVector<Value>> LossFactors::build(ArrayRef<size_t> trained,
                                                 bool overlaps) {
  // The sums are arguments as long as the derivatives are being built.
  mlir::Block& body = step_.getBody().front();
  const unsigned numArguments = body.getNumArguments();
  for (Value term : batches_.terms())
    body.addArgument(term.getType(), locationOf(term));
  SmallVector<mlir::BlockArgument> sums(
      body.getArguments().drop_front(numArguments));
  if (failed(buildDerivatives(sums, trained))) return failure();

  SmallVector<size_t> needed;
  for (auto [index, sum] : llvm::enumerate(sums)) {
    if (sum.use_empty()) continue;
    if (llvm::is_contained(trained, index)) {
      mlir::InFlightDiagnostic error = emitRefusal(index) << "it takes ";
      if (trained.size() > 1) error << "one of " << trained.size() << " ";
      return error << "sums over samples that depend on parameters; a loss "
                      "that is not linear in such sums may depend on one "
                      "number only";
    }
    needed.push_back(index);
  }
  if (overlaps && !needed.empty())
    return emitRefusal(needed.front())
           << "it takes a sum over all samples that must be complete before "
              "the gradients of other sums begin; a schedule without a flush "
              "cannot wait for it, one with a flush can";

  if (!needed.empty())
    for (auto [index, sum] : llvm::zip(needed, addFirstPass(needed)))
      sums[index].replaceAllUsesWith(sum);
  body.eraseArguments(numArguments, sums.size());
  Operation* end = body.getTerminator();
  SmallVector<Value> factors(end->getOperands());
  end->setOperands({});
  return factors;
}

LogicalResult LossFactors::buildDerivatives(ArrayRef<mlir::BlockArgument> sums,
                                            ArrayRef<size_t> trained) {
  mlir::Block& body = step_.getBody().front();
  Operation* end = body.getTerminator();
  OpBuilder builder(end);
  end->setOperands(batches_.buildLoss(
      builder, step_, SmallVector<Value>(sums.begin(), sums.end())));
  // The check that the loss is linear works op by op.
  inlineCalls(body, symbols_);

  std::vector<bool> active(body.getNumArguments(), false);
  for (size_t index : trained) active[sums[index].getArgNumber()] = true;
  Backward backward(body, activity_.valuesOf(step_, active), /*weights=*/{},
                    layers_);
  backward.addLoss(end->getOperand(0));
  if (failed(backward.run(&body.front()))) return failure();

  end->setOperands(llvm::map_to_vector(trained, [&](size_t index) {
    Value gradient = backward.gradientOf(sums[index]);
    return gradient ? gradient : zeroOf(backward.getBuilder(), sums[index]);
  }));
  eraseUnused(body);
  // The loss is built again later, and its ops are numbered then.
  for (Operation& op : body)
    for (StringRef name : {nn::kIdAttrName, nn::kAdjointOfAttrName})
      op.removeAttr(name);
  return success();
}

SmallVector<Value> LossFactors::addFirstPass(ArrayRef<size_t> terms) {
  FuncOp function = batches_.microBatchFunction().clone();
  function.setName((step_.getName() + ".counts").str());
  symbols_.insert(function, std::next(step_->getIterator()));
  mlir::Block& body = function.getBody().front();
  Operation* end = body.getTerminator();
  end->setOperands(llvm::map_to_vector(
      terms, [&](size_t index) { return end->getOperand(index); }));
  inlineCalls(body, symbols_);
  MicroBatches::addUp(function, SmallVector<Value>(end->getOperands()));

  mlir::Block& step = step_.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&step);
  SmallVector<Value> sums = batches_.repeat(builder, step_, function);
  eraseUnusedArguments(sums.front().getDefiningOp<nn::RepeatOp>(), function);
  eraseUnused(step);
  return sums;
}

mlir::InFlightDiagnostic LossFactors::emitRefusal(size_t term) const {
  return batches_.userOfSum(static_cast<int64_t>(term), symbols_)->emitOpError()
         << "cannot be computed in micro-batches: ";
}

}  // namespace sbp
