#include "passes/Pipelines.h"

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/boxing/Passes.h"
#include "passes/differentiate/Passes.h"
#include "passes/inputs/Passes.h"
#include "passes/localize/Passes.h"
#include "passes/names/Passes.h"
#include "passes/options/CheckedOptions.h"
#include "passes/placement/Passes.h"
#include "passes/stages/Passes.h"

namespace sbp {

mlir::LogicalResult checkOptions(mlir::ModuleOp module,
                                 const PipelineOptions& options) {
  auto trains = [](mlir::func::FuncOp function) {
    return function->hasAttr(nn::kOptimizerAttrName);
  };
  if ((options.microBatches <= 1 && options.schedule.empty()) ||
      llvm::any_of(module.getOps<mlir::func::FuncOp>(), trains))
    return mlir::success();
  mlir::InFlightDiagnostic error = module.emitError();
  error << "no function is to be trained, or it is differentiated already: '"
        << nn::kOptimizerAttrName << "' marks the one whose ";
  if (options.schedule.empty())
    error << "batch is divided into " << options.microBatches
          << " micro-batches";
  else
    error << "stages run by the schedule " << options.schedule;
  return error;
}

void addPassesTo(Form form, const PipelineOptions& options,
                 mlir::OpPassManager& passes) {
  auto endForm = [&] {
    if (options.spellsNames) passes.addPass(createSpellNames());
  };
  // Whatever the form: all that follows reckons with the sizes of tensors.
  passes.addPass(createVerifyTensors());

  // ---- Logical --------------------------------------------------------------
  // Not checked here: the program may be in a later form already.
  endForm();
  if (form == Form::Logical) {
    passes.addPass(createVerifyLogical());
    return;
  }

  // ---- Differentiated -------------------------------------------------------
  // Before stages are functions, which say what the schedule needs of them.
  ScheduleStagesOptions schedule;
  schedule.schedule = options.schedule;
  schedule.microBatches = options.microBatches;
  schedule.byMessages = options.byMessages;
  passes.addPass(createScheduleStages(schedule));
  // Before it is differentiated, so that a stage says what it saves.
  passes.addPass(createCutStages());
  // Before placement, so that the backward half is placed with the forward one.
  DifferentiateOptions differentiate;
  differentiate.microBatches = options.microBatches;
  differentiate.reduceIn = options.reduceIn;
  passes.addPass(createDifferentiate(differentiate));
  // After it: pipes are of what is repeated, and differ in where they run only.
  passes.addPass(createDividePipes());
  // After it: the step that trains is given the data too. Before placement, as
  // a part of a table has fewer rows.
  passes.addPass(createBoundInputs());
  // What is not used is not to be paid for, and what is equal is to be laid
  // alike: a parameter that is read twice, above all.
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCanonicalizerPass());
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
  endForm();
  if (form == Form::Differentiated) {
    passes.addPass(createVerifyDifferentiated());
    return;
  }

  // ---- Placed ---------------------------------------------------------------
  PlaceOptions place;
  place.mesh = options.mesh;
  place.by = options.placeBy;
  place.space = options.space;
  place.layers = options.layers;
  place.memory = options.memoryBytes;
  place.searchSeconds = options.searchSeconds;
  place.searchMemory = options.searchMemoryBytes;
  place.divide = options.dividesLevels;
  place.goal = options.goal;
  passes.addPass(createPlace(place));
  endForm();
  if (form == Form::Placed) {
    passes.addPass(createVerifyPlaced());
    return;
  }

  // ---- Boxed ----------------------------------------------------------------
  passes.addPass(createInsertBoxing());
  // A boxing whose only use was the cast of another is left without uses.
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCanonicalizerPass());
  endForm();
  if (form == Form::Boxed) {
    passes.addPass(createVerifyBoxed());
    return;
  }

  // ---- Local ----------------------------------------------------------------
  // Before tensors are cut, while what is equal is equal on all ranks. Parts of
  // different tensors may look alike to one rank and not to another; to merge
  // those would let ranks differ in the collectives that they take part in.
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
  passes.addPass(createLocalize());
  endForm();
  passes.addPass(createVerifyLocal());
}

namespace {

struct PipelineCommandLine : mlir::PassPipelineOptions<PipelineCommandLine> {
  Option<MicroBatchCount> microBatches{
      *this, "micro-batches",
      llvm::cl::desc("Into how many parts a training step divides its batch; "
                     "0 for as many as the schedule has, or else one"),
      llvm::cl::init(0)};
  Option<ReduceIn> reduceIn{
      *this, "reduce",
      llvm::cl::desc("The type in which terms of gradients in bf16 are added "
                     "up over ranks"),
      llvm::cl::init(ReduceIn::F32),
      llvm::cl::values(
          clEnumValN(ReduceIn::F32, "f32", "After the cast to f32, exactly"),
          clEnumValN(ReduceIn::BF16, "bf16", "Before it, in half the bytes"))};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("In which order groups run their stages: a family of "
                     "schedules, or a file with a row per group")};
  Option<bool> byMessages{
      *this, "by-messages",
      llvm::cl::desc("Whether groups run what can run, in place of what the "
                     "schedule has next"),
      llvm::cl::init(false)};
  Option<std::string> mesh{
      *this, "mesh",
      llvm::cl::desc("The sbp.mesh or sbp.machine to place on; needed when "
                     "there are several")};
  Option<PlaceBy> placeBy{
      *this, "place-by", llvm::cl::desc("How to find what pins leave open"),
      llvm::cl::init(PlaceBy::Search),
      llvm::cl::values(clEnumValN(PlaceBy::Propagation, "propagation",
                                  "Leave tensors where they are, op by op"),
                       clEnumValN(PlaceBy::Search, "search",
                                  "Take the cheapest plan for the machine"))};
  Option<SearchSpace> space{
      *this, "space", llvm::cl::desc("Which plans are searched"),
      llvm::cl::init(SearchSpace::Full),
      llvm::cl::values(
          clEnumValN(SearchSpace::Full, "full", "All plans"),
          clEnumValN(SearchSpace::AutoDdl, "autoddl",
                     "Those of AutoDDL, for the entry that trains"))};
  Option<LayerPlans> layers{
      *this, "layers",
      llvm::cl::desc("Whether the calls of a layer are placed alike"),
      llvm::cl::init(LayerPlans::Tied),
      llvm::cl::values(
          clEnumValN(LayerPlans::Tied, "tied", "All calls are"),
          clEnumValN(LayerPlans::Free, "free", "Each is placed for itself"))};
  Option<ByteCount> memory{
      *this, "memory",
      llvm::cl::desc("Bytes that a searched plan may take of each device, if "
                     "not what the machine says"),
      llvm::cl::init(0)};
  Option<Seconds> searchSeconds{
      *this, "search-seconds",
      llvm::cl::desc("After so many seconds a search ends with the best plan "
                     "that it has"),
      llvm::cl::init(60)};
  Option<ByteCount> searchMemory{
      *this, "search-memory",
      llvm::cl::desc("Bytes that the compiler may have in memory while it "
                     "searches; 0 for half of what is free, and eight "
                     "gigabytes at most"),
      llvm::cl::init(0)};
  Option<bool> divide{
      *this, "divide-levels",
      llvm::cl::desc("Place on a mesh with an axis per prime factor of each "
                     "level, or two axes per level where these would be too "
                     "many"),
      llvm::cl::init(false)};
  Option<SearchGoal> goal{
      *this, "goal", llvm::cl::desc("What is searched for"),
      llvm::cl::init(SearchGoal::Time),
      llvm::cl::values(
          clEnumValN(SearchGoal::Time, "time", "The fastest plan that fits"),
          clEnumValN(SearchGoal::Memory, "memory",
                     "One that takes little memory"))};
};

}  // namespace

void registerPasses() {
  registerFormsPasses();
  registerStagesPasses();
  registerDifferentiatePasses();
  registerInputsPasses();
  registerPlacementPasses();
  registerBoxingPasses();
  registerLocalizePasses();
  registerNamesPasses();

  const std::pair<Form, const char*> forms[] = {
      {Form::Differentiated, "differentiated"},
      {Form::Placed, "placed"},
      {Form::Boxed, "boxed"},
      {Form::Local, "local"},
  };
  for (auto [form, name] : forms)
    mlir::PassPipelineRegistration<PipelineCommandLine>(
        std::string("sbp-to-") + name,
        std::string("Brings a program from any earlier form to the ") + name +
            " one",
        [form = form](mlir::OpPassManager& passes,
                      const PipelineCommandLine& options) {
          addPassesTo(form,
                      {options.microBatches, options.reduceIn, options.schedule,
                       options.byMessages, options.mesh, options.placeBy,
                       options.space, options.layers, options.memory,
                       options.searchSeconds, options.searchMemory,
                       options.divide, options.goal, /*spellsNames=*/true},
                      passes);
        });
}

}  // namespace sbp
