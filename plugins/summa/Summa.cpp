// A plug-in with which nn.einsum can also run as SUMMA.
//
//   sbpc model.mlir -n 4 --load-dialect-plugin summa.so
//
// SUMMA takes as long as gathering whole operands, or a little longer, and
// needs less memory: the search chooses it where memory is short.
// PanelProduct.h has the algorithm.

#include "codegen/plugin/Plugin.h"
#include "dialects/nn/DifferentiableOp.h"
#include "plugins/summa/PanelProduct.h"

namespace sbp::summa {
namespace {

/// The interface of nn.einsum that runs it as SUMMA.
class SummaEinsum
    : public CommunicatingOpInterface::ExternalModel<SummaEinsum,
                                                     nn::EinsumOp> {
 public:
  /// Returns signatures in which the axis splits a loop of the result. One
  /// operand is not indexed by this loop, so every device needs all of it. The
  /// signature splits this operand along the panel loop, and the devices gather
  /// its panels. An op that computes a gradient may exchange panels of its
  /// result as well, because its tensors have the placements of the forward
  /// op's tensors.
  SmallVector<Signature> getCommunicatingSignatures(
      Operation* op, const LoopNest& nest) const {
    bool isGradient = op->hasAttr(nn::kAdjointOfAttrName);
    SmallVector<Signature> signatures;
    for (const Signature& plain : signaturesOf(nest)) {
      if (plain.loop == kNoLoop) continue;
      if (nest.loops[plain.loop].kind == Loop::Kind::Parallel)
        addFetching(nest, plain, isGradient, signatures);
      else if (isGradient)
        addScattering(nest, plain, signatures);
    }
    return signatures;
  }

  bool canCombine(Operation*, const LoopNest& nest, const Mesh& mesh,
                  ArrayRef<const Signature*> perAxis) const {
    return PanelProduct::of(nest, mesh, perAxis).has_value();
  }

  SmallVector<Value> buildCommunicating(Operation* op, const LoopNest& nest,
                                        const Mesh& mesh,
                                        ArrayRef<const Signature*> perAxis,
                                        OpBuilder& builder, ValueRange operands,
                                        TypeRange, Shard&) const {
    return {PanelProduct::of(nest, mesh, perAxis)
                ->build(builder, llvm::cast<nn::EinsumOp>(op), operands)};
  }

 private:
  /// Adds copies of `plain` in which a Broadcast operand is split instead, and
  /// gathered panel by panel.
  static void addFetching(const LoopNest& nest, const Signature& plain,
                          bool isGradient,
                          llvm::SmallVectorImpl<Signature>& signatures) {
    for (auto [number, operand] : llvm::enumerate(nest.operands)) {
      if (!plain.operands[number].isBroadcast()) continue;
      for (auto [dim, loop] : llvm::enumerate(operand)) {
        bool isSummed = nest.loops[loop].kind == Loop::Kind::Reduction;
        if (!isSummed && !isGradient) continue;
        signatures.push_back(plain);
        signatures.back().operands[number] = Component::split(dim);
      }
    }
  }

  /// Adds copies of `plain`, whose result is Partial, in which the result is
  /// split instead: it is reduced and scattered panel by panel.
  static void addScattering(const LoopNest& nest, const Signature& plain,
                            llvm::SmallVectorImpl<Signature>& signatures) {
    for (size_t dim = 0; dim < nest.results.front().size(); ++dim) {
      signatures.push_back(plain);
      signatures.back().results.front() = Component::split(dim);
    }
  }
};

void registerSumma(mlir::DialectRegistry* registry) {
  registry->addExtension(+[](MLIRContext* context, nn::NnDialect*) {
    nn::EinsumOp::attachInterface<SummaEinsum>(*context);
  });
}

}  // namespace
}  // namespace sbp::summa

SBP_DIALECT_PLUGIN("summa", "1", sbp::summa::registerSumma)
