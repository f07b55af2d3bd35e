#include "passes/inputs/IndexBounds.h"

#include <algorithm>

#include "dialects/nn/Calls.h"

namespace sbp {

using mlir::CallOpInterface;
using mlir::func::ReturnOp;

namespace {

/// Whether the result of `op` contains every element of every operand.
bool keepsElements(Operation* op) {
  if (llvm::isa<PinOp, CastOp, BoxOp>(op)) return true;
  // Only casts between integer types: a truth value selects no row or class.
  if (auto cast = llvm::dyn_cast<nn::CastOp>(op))
    return nn::hasIndices(cast.getInput().getType()) &&
           nn::hasIndices(cast.getResult().getType());
  return op->hasTrait<nn::KeepsElements>();
}

/// Whether `slices` are known to cover a tensor of `shape`. True only if, along
/// some dimension, slices that are whole in all other dimensions cover the
/// extent.
bool isCoveredBy(ArrayRef<int64_t> shape, ArrayRef<nn::SliceOp> slices) {
  for (size_t cut = 0; cut < shape.size(); ++cut) {
    SmallVector<std::pair<int64_t, int64_t>> parts;  // begin and end
    for (nn::SliceOp slice : slices) {
      ArrayRef<int64_t> offsets = slice.getOffsets();
      ArrayRef<int64_t> sizes = slice.getSizes();
      bool isWhole = true;
      for (size_t dim = 0; dim < shape.size(); ++dim)
        isWhole &= dim == cut || sizes[dim] == shape[dim];
      if (isWhole) parts.push_back({offsets[cut], offsets[cut] + sizes[cut]});
    }
    llvm::sort(parts);
    int64_t end = 0;
    for (auto [partBegin, partEnd] : parts)
      if (partBegin <= end) end = std::max(end, partEnd);
    if (end == shape[cut]) return true;
  }
  return false;
}

}  // namespace

void IndexBounds::Demand::add(const Demand& other) {
  below = std::min(below, other.below);
  for (unsigned result : other.results)
    if (!llvm::is_contained(results, result)) results.push_back(result);
}

IndexBounds::Demand IndexBounds::demandOn(Value value) {
  // While the demand on a value is being derived, its uses count as none. So
  // the recursion ends for recursive functions too, which other checks reject.
  auto [known, isNew] = demands_.try_emplace(value);
  if (!isNew) return known->second;
  Demand demand = demandOfUses(value);
  demands_[value] = demand;
  return demand;
}

IndexBounds::Demand IndexBounds::demandOfUses(Value value) {
  Demand demand;
  SmallVector<nn::SliceOp> slices;
  for (mlir::OpOperand& use : value.getUses()) {
    if (auto slice = llvm::dyn_cast<nn::SliceOp>(use.getOwner()))
      slices.push_back(slice);
    else
      demand.add(demandOfUse(use));
  }
  demand.below = std::min(demand.below, boundBySlices(value, slices));
  return demand;
}

IndexBounds::Demand IndexBounds::demandOfUse(mlir::OpOperand& use) {
  Operation* op = use.getOwner();
  Demand demand;
  if (keepsElements(op)) return demandOn(op->getResult(0));
  // All parts of a tensor together are the whole tensor.
  if (auto part = llvm::dyn_cast<nn::PartOp>(op);
      part && use.get() == part.getInput())
    return demandOn(part.getResult());
  if (auto call = llvm::dyn_cast<CallOpInterface>(op))
    return demandOfCall(call, use.getOperandNumber());
  if (llvm::isa<ReturnOp>(op)) demand.results.push_back(use.getOperandNumber());
  if (auto chooser = llvm::dyn_cast<nn::IndexOpInterface>(op))
    demand.below = chooser.getIndexBound(use).value_or(kUnbounded);
  return demand;
}

IndexBounds::Demand IndexBounds::demandOfCall(CallOpInterface call,
                                              unsigned argument) {
  auto callee = nn::calleeOf(call, symbols_);
  if (!callee || callee.isExternal()) return {};
  Demand inside = demandOn(callee.getArgument(argument));
  Demand demand;
  demand.below = inside.below;
  for (unsigned result : inside.results)
    demand.add(demandOn(call->getResult(result)));
  return demand;
}

int64_t IndexBounds::boundBySlices(Value value, ArrayRef<nn::SliceOp> slices) {
  auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isCoveredBy(type.getShape(), slices)) return kUnbounded;
  int64_t below = 0;
  for (nn::SliceOp slice : slices)
    below = std::max(below, boundOf(slice.getResult()));
  return below;
}

}  // namespace sbp
