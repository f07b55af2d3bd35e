// --sbp-differentiate: finds the function that is trained, and its optimiser.

#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/MicroBatchesMark.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "passes/differentiate/KeepInLayers.h"
#include "passes/differentiate/Passes.h"
#include "passes/differentiate/TrainStep.h"
#include "passes/differentiate/adjoints/Adjoints.h"
#include "passes/module/VerifyTensors.h"
#include "passes/options/CheckedPass.h"
#include "passes/stages/Schedule.h"

namespace sbp {

#define GEN_PASS_DEF_DIFFERENTIATE
#include "passes/differentiate/Passes.h.inc"

using mlir::func::FuncOp;

namespace {

class Differentiate
    : public CheckedPass<Differentiate, impl::DifferentiateBase<Differentiate>,
                         DifferentiateOptions> {
 public:
  using CheckedPass::CheckedPass;

  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    DifferentiateBase::getDependentDialects(registry);
    registerAdjoints(registry);
  }

  void runOnOperation() override {
    if (failed(verifyTensors(getOperation()))) return signalPassFailure();
    FailureOr<FuncOp> loss = findLoss();
    if (failed(loss)) return signalPassFailure();
    if (!*loss) {
      if (failed(verifyKeepInLayers(getOperation(), /*loss=*/nullptr,
                                    mlir::SymbolTable(getOperation()))))
        signalPassFailure();
      return;
    }
    FailureOr<Attribute> optimizer = findOptimizer(*loss);
    if (failed(optimizer)) return signalPassFailure();
    FailureOr<BatchParts> parts = batchPartsOf(getOperation(), microBatches);
    FailureOr<std::vector<int64_t>> delays = delaysOf(getOperation());
    if (failed(parts) || failed(delays)) return signalPassFailure();
    // The functions that are made take over the other attributes.
    (*loss)->removeAttr(kMicroBatchesAttrName);
    // If an option names the function, the dialect has not yet verified that
    // its result is a scalar.
    (*loss)->setAttr(nn::kOptimizerAttrName, *optimizer);
    if (failed(mlir::verify(*loss, /*verifyRecursively=*/false)) ||
        failed(buildTrainStep(*loss, *optimizer, *parts, *delays, reduceIn)))
      return signalPassFailure();
    (*loss)->removeAttr(nn::kOptimizerAttrName);
  }

  /// Declares the options that commands have too.
  static void declareShared(DifferentiateOptions& options, OptionDeclarer& to) {
    auto pass = std::make_shared<Differentiate>();
    to.add(pass, pass->microBatches, options.microBatches, OptionGroup::Stages);
    to.add(pass, pass->reduceIn, options.reduceIn);
  }

  static void declare(DifferentiateOptions& options, OptionDeclarer& to) {
    auto pass = std::make_shared<Differentiate>();
    to.add(pass, pass->functionName, options.functionName);
    to.add(pass, pass->optimizerText, options.optimizerText);
    declareShared(options, to);
  }

 private:
  /// Returns the function to be minimised; null if there is none.
  FailureOr<FuncOp> findLoss() {
    ModuleOp module = getOperation();
    if (!functionName.empty()) {
      if (auto function = module.lookupSymbol<FuncOp>(functionName))
        return function;
      return mlir::emitError(module.getLoc())
             << "the module has no function @" << functionName
             << ", which is to be differentiated";
    }
    FuncOp found;
    for (auto function : module.getOps<FuncOp>()) {
      if (!function->hasAttr(nn::kOptimizerAttrName)) continue;
      if (found) {
        mlir::InFlightDiagnostic diagnostic =
            function.emitOpError()
            << "and @" << found.getName() << " both have '"
            << nn::kOptimizerAttrName << "'; one function is trained";
        diagnostic.attachNote(found.getLoc()) << "the other function";
        return diagnostic;
      }
      found = function;
    }
    if (!found && !optimizerText.empty())
      return mlir::emitError(module.getLoc())
             << "the module has no function with '" << nn::kOptimizerAttrName
             << "' for the optimizer " << optimizerText
             << "; name one by the option 'function'";
    return found;
  }

  FailureOr<Attribute> findOptimizer(FuncOp loss) {
    if (!optimizerText.empty()) return parseOptimizer(loss);
    if (Attribute optimizer = loss->getAttr(nn::kOptimizerAttrName))
      return optimizer;
    return loss.emitOpError()
           << "is to be differentiated, but has no '" << nn::kOptimizerAttrName
           << "', nor is the option 'optimizer' given";
  }

  FailureOr<Attribute> parseOptimizer(FuncOp loss) {
    std::string reason;
    Attribute optimizer;
    {
      mlir::ScopedDiagnosticHandler handler(&getContext(),
                                            [&](mlir::Diagnostic& diagnostic) {
                                              reason = diagnostic.str();
                                              return success();
                                            });
      optimizer = mlir::parseAttribute(optimizerText, &getContext());
    }
    if (optimizer) return optimizer;
    return loss.emitOpError() << "cannot be trained by the option optimizer=\""
                              << optimizerText << "\": " << reason;
  }
};

}  // namespace

void declareOptions(DifferentiateOptions& options, OptionDeclarer& to) {
  Differentiate::declareShared(options, to);
}

}  // namespace sbp
