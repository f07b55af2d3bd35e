// A plug-in by which nn.einsum also runs as SUMMA.
//
//   sbpc model.mlir -n 4 --load-dialect-plugin summa.so
//
// Takes as long as to gather whole operands does, or a little longer, and needs
// less memory: the search chooses it where memory is short. PanelProduct.h has
// the algorithm.

#include "dialects/nn/DifferentiableOp.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "plugins/summa/PanelProduct.h"

namespace sbp::summa {
namespace {

class SummaEinsum
    : public CommunicatingOpInterface::ExternalModel<SummaEinsum,
                                                     nn::EinsumOp> {
 public:
  /// On one mesh axis, a loop of the result is split, and the operand that
  /// lacks it, of which every device would need all, is split along the panel
  /// loop. An op that computes a gradient may move panels of its result too:
  /// it is given the tensors as its forward op has them.
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

extern "C" mlir::DialectPluginLibraryInfo LLVM_ATTRIBUTE_WEAK
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "summa", "1", sbp::summa::registerSumma};
}
