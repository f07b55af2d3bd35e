#include "passes/Pipelines.h"

#include "dialects/nn/Nn.h"
#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/boxing/Passes.h"
#include "passes/inputs/Passes.h"
#include "passes/localize/Passes.h"
#include "passes/names/Passes.h"
#include "passes/options/PassOptionParser.h"

namespace sbp {

mlir::LogicalResult checkOptions(mlir::ModuleOp module,
                                 const PipelineOptions& options) {
  const int64_t microBatches = options.schedule.microBatches;
  auto trains = [](mlir::func::FuncOp function) {
    return function->hasAttr(nn::kOptimizerAttrName);
  };
  if ((microBatches <= 1 && options.schedule.schedule.empty()) ||
      llvm::any_of(module.getOps<mlir::func::FuncOp>(), trains))
    return mlir::success();
  mlir::InFlightDiagnostic error = module.emitError();
  error << "no function is to be trained, or it is differentiated already: '"
        << nn::kOptimizerAttrName << "' marks the one whose ";
  if (options.schedule.schedule.empty())
    error << "batch is divided into " << microBatches << " micro-batches";
  else
    error << "stages run by the schedule " << options.schedule.schedule;
  return error;
}

namespace {

// Each of these functions adds the passes that bring a module to one form from
// the previous form. They do not add the verification of the form.

void addLogicalPasses(const PipelineOptions& options,
                      mlir::OpPassManager& passes) {
  // Later passes compute with the sizes of tensors.
  passes.addPass(createVerifyTensors());
  // Runs before stages are chosen, which prices what layers compute again.
  passes.addPass(createKeepInLayers(options.keep));
  if (options.cut.stages == 0) return;
  ChooseStagesOptions cut = options.cut;
  cut.terse |= options.effort != FitEffort::Advice;
  passes.addPass(createChooseStages(cut));
}

void addDifferentiatedPasses(const PipelineOptions& options,
                             mlir::OpPassManager& passes) {
  // Runs before stages become functions: the functions have marks that depend
  // on the schedule.
  passes.addPass(createScheduleStages(options.schedule));
  // Runs before differentiation, which decides for each stage what its function
  // saves.
  passes.addPass(createCutStages());
  // Runs before placement, so that the backward of a function is placed
  // together with the forward.
  passes.addPass(createDifferentiate(options.differentiate));
  // Runs after differentiation. Pipes are copies of repeated functions, and
  // differ only in the groups on which they run.
  passes.addPass(createDividePipes());
  // Runs after differentiation, since the training step takes the data too.
  // Runs before placement, after which a rank may have only some rows of a
  // table.
  passes.addPass(createBoundInputs());
  // Runs before placement, so that unused ops cost nothing, and equal ops, such
  // as two reads of one parameter, get one placement.
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCanonicalizerPass());
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
}

void addPlacedPasses(const PipelineOptions& options,
                     mlir::OpPassManager& passes) {
  passes.addPass(createPlace(options.place));
}

void addBoxedPasses(mlir::OpPassManager& passes) {
  passes.addPass(createInsertBoxing());
  // Erases boxings without uses. A boxing loses its only use if that use is the
  // cast of another boxing.
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCanonicalizerPass());
}

void addLocalPasses(mlir::OpPassManager& passes) {
  // Runs before tensors are cut, when equal values are equal on all ranks.
  // Parts of different tensors may be equal on one rank and differ on another.
  // If these were merged, ranks would take part in different collectives.
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
  passes.addPass(createLocalize());
}

void addPassesFromFormBefore(Form form, const PipelineOptions& options,
                             mlir::OpPassManager& passes) {
  switch (form) {
    case Form::Logical:
      return addLogicalPasses(options, passes);
    case Form::Differentiated:
      return addDifferentiatedPasses(options, passes);
    case Form::Placed:
      return addPlacedPasses(options, passes);
    case Form::Boxed:
      return addBoxedPasses(passes);
    case Form::Local:
      return addLocalPasses(passes);
  }
}

std::unique_ptr<mlir::Pass> createVerifier(Form form) {
  switch (form) {
    case Form::Logical:
      return createVerifyLogical();
    case Form::Differentiated:
      return createVerifyDifferentiated();
    case Form::Placed:
      return createVerifyPlaced();
    case Form::Boxed:
      return createVerifyBoxed();
    case Form::Local:
      return createVerifyLocal();
  }
  llvm_unreachable("a form is one of five");
}

}  // namespace

void addPassesTo(Form form, const PipelineOptions& options,
                 mlir::OpPassManager& passes, std::optional<Form> from) {
  for (Form next : kForms) {
    if (next > form) break;
    if (from && next <= *from) continue;
    addPassesFromFormBefore(next, options, passes);
    if (options.spellsNames) passes.addPass(createSpellNames());
  }
  // Intermediate forms are not verified, since the module may be past them
  // already.
  passes.addPass(createVerifier(form));
}

void PipelineOptions::setMicroBatches(int64_t microBatches) {
  cut.microBatches = microBatches;
  schedule.microBatches = microBatches;
  differentiate.microBatches = microBatches;
}

void declareOptions(PipelineOptions& options, OptionDeclarer& to) {
  declareOptions(options.cut, to);
  declareOptions(options.schedule, to);
  declareOptions(options.keep, to);
  declareOptions(options.differentiate, to);
  declareOptions(options.place, to);
  // The groups of stages have their own meshes.
  to.exclude("stages", "mesh");
  to.exclude("stages", "divide-levels");
}

namespace {

void registerPipeline(Form form, StringRef name) {
  mlir::registerPassPipeline(
      ("sbp-to-" + name).str(),
      ("Brings a program from any earlier form to the " + name + " one").str(),
      [form](mlir::OpPassManager& passes, StringRef text,
             PassOptionParser::ErrorHandler handleError) {
        PipelineOptions options;
        options.spellsNames = true;
        PassOptionParser parser;
        declareOptions(options, parser);
        if (failed(parser.parse(text, handleError))) return failure();
        addPassesTo(form, options, passes);
        return success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions&)> show) {
        PipelineOptions options;
        PassOptionParser parser;
        declareOptions(options, parser);
        show(parser);
      });
}

}  // namespace

void registerPasses() {
  registerFormsPasses();
  registerStagesPasses();
  registerCutPasses();
  registerDifferentiatePasses();
  registerInputsPasses();
  registerPlacementPasses();
  registerBoxingPasses();
  registerLocalizePasses();
  registerNamesPasses();

  for (Form form : kForms)
    if (form != Form::Logical) registerPipeline(form, stringOf(form));
}

}  // namespace sbp
