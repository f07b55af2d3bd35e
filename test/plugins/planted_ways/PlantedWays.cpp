// A plug-in with a way to run convolutions and a way to run products. Each is
// wrong in one step, which `sbpc check-ops` finds. plugins/halo and
// plugins/summa have the correct ways.

#include "codegen/plugin/Plugin.h"
#include "dialects/nn/Nn.h"
#include "dialects/nn/Window.h"
#include "dialects/rank/Rank.h"
#include "dialects/sbp/DistributedOp.h"

namespace sbp::planted {
namespace {

RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

RankedTensorType withExtent(RankedTensorType type, int64_t dim,
                            int64_t extent) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  return RankedTensorType::get(shape, type.getElementType());
}

/// The shard of an op that takes its part for a whole tensor.
class Unsplit : public Shard {
 public:
  bool isSplit(int64_t) override { return false; }
  Value beginOf(int64_t) override { return {}; }
};

/// Convolutions of images whose rows are split over one axis, with windows of 3
/// and a padding of 1. A part needs one more row on each side, but takes two
/// rows from the device before it.
class OneSidedHalo
    : public CommunicatingOpInterface::ExternalModel<OneSidedHalo,
                                                     nn::ConvolutionOp> {
  static constexpr int64_t kRows = 2;  // dimension

 public:
  SmallVector<Signature> getCommunicatingSignatures(
      Operation* op, const LoopNest& nest) const {
    auto convolution = llvm::cast<nn::ConvolutionOp>(op);
    const nn::Window window = convolution.getWindows().front();
    if (!convolution.getFirst().empty() || window.span() != 3 ||
        window.stride != 1 || window.low != 1 || window.high != 1)
      return {};
    Signature rows;
    rows.loop = nest.results.front()[kRows];
    rows.operands = {Component::split(kRows), Component::broadcast()};
    rows.results = {Component::split(kRows)};
    return {rows};
  }

  bool canCombine(Operation* op, const LoopNest&, const Mesh& mesh,
                  ArrayRef<const Signature*>) const {
    return mesh.axes.size() == 1 &&
           mesh.numRanks() <= typeOf(op->getResult(0)).getDimSize(kRows);
  }

  SmallVector<Value> buildCommunicating(Operation* op, const LoopNest&,
                                        const Mesh& mesh,
                                        ArrayRef<const Signature*>,
                                        OpBuilder& builder, ValueRange operands,
                                        TypeRange results, Shard&) const {
    const RankedTensorType part = typeOf(operands[0]);
    Value widened = rank::HaloExchangeOp::create(
        builder, op->getLoc(),
        withExtent(part, kRows, part.getDimSize(kRows) + 2),
        rank::Reduction::Sum, operands[0], kRows,
        typeOf(op->getOperand(0)).getDimSize(kRows), /*low=*/2, /*high=*/0,
        rank::namesOf({0}, mesh, builder));
    Unsplit unsplit;
    auto local = llvm::cast<nn::ConvolutionOp>(
        llvm::cast<DistributedOpInterface>(op).buildLocal(
            builder, {widened, operands[1]}, results, unsplit));
    SmallVector<int64_t> low, high;
    for (const nn::Window& window : local.getWindows()) {
      low.push_back(window.low);
      high.push_back(window.high);
    }
    low.front() = high.front() = 0;
    local.setLow(low);
    local.setHigh(high);
    return {local.getResult()};
  }
};

/// Products in which each device has some rows of both factors. The products of
/// two panels of the summed loop should be added up, but the second panel is
/// left out.
class FirstPanelAlone
    : public CommunicatingOpInterface::ExternalModel<FirstPanelAlone,
                                                     nn::EinsumOp> {
 public:
  SmallVector<Signature> getCommunicatingSignatures(
      Operation* op, const LoopNest& nest) const {
    if (llvm::cast<nn::EinsumOp>(op).getEquation() != "bi,ij->bj") return {};
    Signature rows;
    rows.loop = nest.results.front()[0];
    rows.operands = {Component::split(0), Component::split(0)};
    rows.results = {Component::split(0)};
    return {rows};
  }

  bool canCombine(Operation* op, const LoopNest&, const Mesh& mesh,
                  ArrayRef<const Signature*>) const {
    return mesh.axes.size() == 1 && typeOf(op->getOperand(1)).getDimSize(0) > 1;
  }

  SmallVector<Value> buildCommunicating(Operation* op, const LoopNest&,
                                        const Mesh& mesh,
                                        ArrayRef<const Signature*>,
                                        OpBuilder& builder, ValueRange operands,
                                        TypeRange, Shard&) const {
    const int64_t length = typeOf(op->getOperand(1)).getDimSize(0);
    Value gathered = rank::AllGatherOp::create(
        builder, op->getLoc(), withExtent(typeOf(operands[1]), 0, length),
        operands[1], /*dim=*/0, rank::namesOf({0}, mesh, builder));
    const auto panelOf = [&](Value factor, int64_t dim) -> Value {
      const RankedTensorType panel =
          withExtent(typeOf(factor), dim, length / 2);
      return nn::SliceOp::create(builder, op->getLoc(), factor, {0, 0},
                                 panel.getShape());
    };
    return {nn::EinsumOp::create(builder, op->getLoc(),
                                 llvm::cast<nn::EinsumOp>(op).getEquation(),
                                 panelOf(operands[0], 1), panelOf(gathered, 0))
                .getResult()};
  }
};

}  // namespace
}  // namespace sbp::planted

SBP_DIALECT_PLUGIN("planted_ways", "1", [](mlir::DialectRegistry* registry) {
  registry->addExtension(+[](mlir::MLIRContext* context, sbp::nn::NnDialect*) {
    using namespace sbp::planted;
    sbp::nn::ConvolutionOp::attachInterface<OneSidedHalo>(*context);
    sbp::nn::EinsumOp::attachInterface<FirstPanelAlone>(*context);
  });
})
