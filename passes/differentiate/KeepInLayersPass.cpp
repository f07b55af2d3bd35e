// --sbp-keep-in-layers: marks the layers of the trained entry.

#include "dialects/nn/Nn.h"
#include "passes/differentiate/CallTree.h"
#include "passes/differentiate/KeepInLayers.h"
#include "passes/differentiate/Passes.h"
#include "passes/module/TrainedEntry.h"
#include "passes/options/CheckedPass.h"

namespace sbp {

#define GEN_PASS_DEF_KEEPINLAYERS
#include "passes/differentiate/Passes.h.inc"

using mlir::func::FuncOp;

namespace {

struct KeepInLayers
    : CheckedPass<KeepInLayers, impl::KeepInLayersBase<KeepInLayers>,
                  KeepInLayersOptions> {
  using CheckedPass::CheckedPass;

  void runOnOperation() override {
    if (kept != Kept::All && failed(mark(getOperation(), kept)))
      signalPassFailure();
  }

  static void declare(KeepInLayersOptions& options, OptionDeclarer& to) {
    auto pass = std::make_shared<KeepInLayers>();
    to.add(pass, pass->kept, options.kept);
  }

 private:
  static LogicalResult mark(ModuleOp module, Kept kept) {
    const StringRef word = stringOf(kept);
    FuncOp loss = trainedEntryOf(module);
    if (!loss)
      return module.emitError()
             << "no function is to be trained, or it is differentiated "
                "already, so no layer can keep only its "
             << word;
    mlir::SymbolTable symbols(module);
    if (failed(verifyCallTree(loss, symbols))) return failure();
    const SmallVector<FuncOp> layers = layersToKeep(loss, kept, symbols);
    if (layers.empty())
      return loss.emitOpError()
             << "calls no function, so there is no layer that could keep only "
                "its "
             << word << "; a layer is a private function";
    keepInLayers(layers, kept);
    return success();
  }
};

}  // namespace

void declareOptions(KeepInLayersOptions& options, OptionDeclarer& to) {
  KeepInLayers::declare(options, to);
}

}  // namespace sbp
