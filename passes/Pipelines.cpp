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

// One function per form: the passes that bring a module to it from the form
// before, without its verification.

void addLogicalPasses(const PipelineOptions& options,
                      mlir::OpPassManager& passes) {
  // All that follows computes with the sizes of tensors.
  passes.addPass(createVerifyTensors());
  if (options.cut.stages > 0) passes.addPass(createChooseStages(options.cut));
}

void addDifferentiatedPasses(const PipelineOptions& options,
                             mlir::OpPassManager& passes) {
  // Before stages are functions, which say what the schedule needs of them.
  passes.addPass(createScheduleStages(options.schedule));
  // Before differentiation, so that a stage says what it saves.
  passes.addPass(createCutStages());
  // Before placement, so that the backward half is placed with the forward one.
  passes.addPass(createDifferentiate(options.differentiate));
  // After differentiation: pipes are copies of what is repeated, and differ
  // only in where they run.
  passes.addPass(createDividePipes());
  // After differentiation: the step that trains is given the data too. Before
  // placement: a part of a table has fewer rows.
  passes.addPass(createBoundInputs());
  // Before placement, so that unused ops cost nothing and equal ops get one
  // placement: above all, two reads of one parameter.
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCanonicalizerPass());
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
}

void addPlacedPasses(const PipelineOptions& options,
                     mlir::OpPassManager& passes) {
  passes.addPass(createPlace(options.place));
}

void addBoxedPasses(mlir::OpPassManager& passes) {
  passes.addPass(createInsertBoxing());
  // A boxing whose only use was the cast of another is left without uses.
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCanonicalizerPass());
}

void addLocalPasses(mlir::OpPassManager& passes) {
  // Before tensors are cut, while what is equal is equal on all ranks. Parts of
  // different tensors may look alike to one rank and not to another; to merge
  // those would let ranks differ in the collectives that they take part in.
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
  // Forms on the way are not verified: the module may be past them already.
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
  declareOptions(options.differentiate, to);
  declareOptions(options.place, to);
  // Groups of stages have meshes of their own.
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
