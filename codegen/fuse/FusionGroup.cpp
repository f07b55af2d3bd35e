#include "codegen/fuse/FusionGroup.h"

#include "codegen/kernels/ElementCode.h"
#include "codegen/kernels/StridedTensor.h"
#include "dialects/nn/Nn.h"
#include "dialects/rank/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace sbp {

bool isSplatConstant(Operation* op) {
  auto constant = llvm::dyn_cast_if_present<nn::ConstantOp>(op);
  return constant && constant.isSplat();
}

FusionGroup::FusionGroup(Operation* op, int64_t position)
    : ops_{op}, positions_{position} {
  findTensors();
}

FusionGroup::FusionGroup(const FusionGroup& one, const FusionGroup& other) {
  size_t i = 0, j = 0;
  while (i < one.ops_.size() || j < other.ops_.size()) {
    const bool isOfOne =
        j == other.ops_.size() ||
        (i < one.ops_.size() && one.positions_[i] < other.positions_[j]);
    const FusionGroup& from = isOfOne ? one : other;
    size_t& next = isOfOne ? i : j;
    ops_.push_back(from.ops_[next]);
    positions_.push_back(from.positions_[next]);
    ++next;
  }
  findTensors();
}

bool FusionGroup::takes(Operation* op) {
  return ElementCode::existsFor(op) && !llvm::isa<rank::FusedOp>(op) &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           return !isSplatConstant(operand.getDefiningOp());
         });
}

ArrayRef<int64_t> FusionGroup::shape() const {
  return llvm::cast<RankedTensorType>(ops_.front()->getResult(0).getType())
      .getShape();
}

bool FusionGroup::contains(Operation* op) const {
  return llvm::is_contained(ops_, op);
}

bool FusionGroup::isWorthwhile() const {
  return ops_.size() > 1 ||
         llvm::any_of(ops_.front()->getOperands(), [](Value operand) {
           return isSplatConstant(operand.getDefiningOp());
         });
}

int64_t FusionGroup::innermostExtent() const {
  SmallVector<StridedTensor> tensors;
  for (ArrayRef<Value> values : {inputs(), results()})
    for (Value value : values)
      tensors.push_back(broadcastTo(shape(), value, ElementRef()));
  MergedLoops loops = merge(shape(), tensors);
  return loops.extents.empty() ? 1 : loops.extents.back();
}

void FusionGroup::findTensors() {
  llvm::SmallSetVector<Value, 8> inputs;
  results_.clear();
  for (Operation* op : ops_) {
    for (Value operand : op->getOperands()) {
      Operation* maker = operand.getDefiningOp();
      if (!isSplatConstant(maker) && !(maker && contains(maker)))
        inputs.insert(operand);
    }
    for (Value result : op->getResults())
      if (result.use_empty() ||
          llvm::any_of(result.getUsers(),
                       [&](Operation* user) { return !contains(user); }))
        results_.push_back(result);
  }
  inputs_ = inputs.takeVector();
}

}  // namespace sbp
