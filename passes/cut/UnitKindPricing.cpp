#include "passes/cut/UnitKindPricing.h"

#include <algorithm>
#include <utility>

#include "dialects/nn/Calls.h"
#include "dialects/nn/OptimizerStep.h"
#include "dialects/sbp/Sbp.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/boxing/Cost.h"
#include "passes/cut/RepeatedUnits.h"
#include "passes/cut/StageGroups.h"
#include "passes/differentiate/Passes.h"
#include "passes/placement/GroupProgram.h"
#include "passes/placement/StageMeshes.h"
#include "passes/plan/Placeable.h"
#include "passes/plan/Placer.h"
#include "passes/plan/Plan.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/search/program/SearchTradeOffs.h"
#include "passes/stages/CutStages.h"
#include "passes/stages/InFlight.h"
#include "passes/stages/StageTasks.h"
#include "passes/stages/Stages.h"

namespace sbp {

using mlir::success;
using mlir::func::CallOp;
using mlir::func::FuncOp;

namespace {

/// Returns the bytes of `type` on the device of `mesh` that has the largest
/// part.
double bytesOf(Type type, const Mesh& mesh) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  return static_cast<double>(alignedBytes(largestLocalBytes(
      tensor.getShape(), elementBytes(tensor.getElementType()),
      NdSbpAttr::of(tensor).getComponents(), mesh)));
}

/// The calls of a unit's functions in the program of the unit. A call is null
/// if there is none.
struct UnitCalls {
  CallOp forward, backward;

  explicit UnitCalls(ModuleOp program) {
    mlir::SymbolTable symbols(program);
    program.walk([&](CallOp call) {
      if (stageOf(call->getParentOfType<FuncOp>())) return;
      auto callee = nn::calleeOf(call, symbols);
      if (!callee || !stageOf(callee)) return;
      (forward ? backward : forward) = call;
    });
  }
};

/// Reads the price of a unit off the program of the unit.
class UnitReader {
 public:
  UnitReader(ModuleOp program, const EntryUnit& unit, const Mesh& mesh)
      : program_(program), unit_(unit), mesh_(mesh), calls_(program) {
    if (!calls_.forward) return;
    // Reads operands before placement inserts casts in front of the call.
    operands_ = llvm::to_vector(calls_.forward.getOperands());
    if (!calls_.backward) return;
    kept_ = llvm::to_vector(calls_.backward.getOperands());
    // In a function that a repeat calls, gradients are added up, and read()
    // counts the sums instead.
    if (calls_.backward->getParentOfType<FuncOp>().isPublic())
      for (Value gradient : calls_.backward.getResults())
        if (llvm::any_of(gradient.getUsers(), nn::gradientOf))
          gradients_.push_back(gradient);
  }

  /// Returns the price. The program is placed by now.
  UnitKindPrice read() {
    UnitKindPrice price;
    for (auto parameter : program_.getOps<nn::ParameterOp>()) {
      price.persistentBytes += bytes(parameter.getType());
      if (!parameter.getState())
        price.weightBytes += bytes(parameter.getType());
    }
    program_.walk([&](nn::RepeatOp repeat) {
      for (Value sum : repeat.getResults())
        price.persistentBytes += bytes(sum.getType());
    });
    for (Value gradient : gradients_)
      price.persistentBytes += bytes(gradient.getType());
    if (!calls_.forward ||
        calls_.forward.getNumResults() < unit_.results.size())
      return price;
    readTensors(price);
    for (Value saved :
         calls_.forward.getResults().drop_front(unit_.results.size()))
      if (isKept(saved)) price.activationBytes += bytes(saved.getType());
    return price;
  }

 private:
  double bytes(Type type) const { return bytesOf(type, mesh_); }
  bool isKept(Value value) const { return llvm::is_contained(kept_, value); }

  void readTensors(UnitKindPrice& price) {
    for (auto [value, here] : llvm::zip(unit_.operands, operands_)) {
      UnitKindPrice::Tensor tensor;
      tensor.type = llvm::cast<RankedTensorType>(here.getType());
      mlir::FlatSymbolRefAttr parameter = parameterOf(value);
      if (!parameter && isKept(here))
        tensor.activationBytes = bytes(tensor.type);
      if (parameter && !program_.lookupSymbol(parameter.getAttr()))
        tensor.sharedParameterBytes = bytes(tensor.type);
      price.operands.push_back(tensor);
    }
    for (Value here :
         calls_.forward.getResults().take_front(unit_.results.size())) {
      UnitKindPrice::Tensor tensor;
      tensor.type = llvm::cast<RankedTensorType>(here.getType());
      if (isKept(here)) tensor.activationBytes = bytes(tensor.type);
      price.results.push_back(tensor);
    }
  }

  ModuleOp program_;
  const EntryUnit& unit_;
  const Mesh& mesh_;
  UnitCalls calls_;
  SmallVector<Value> operands_;   // operands of the forward function
  SmallVector<Value> kept_;       // operands of the backward function
  SmallVector<Value> gradients_;  // kept until the update
};

/// Returns the bytes that one unit keeps, including all its operands and
/// results.
double sumOf(const UnitKindPrice& price) {
  double bytes = price.persistentBytes + price.activationBytes;
  for (const auto* tensors : {&price.operands, &price.results})
    for (const UnitKindPrice::Tensor& tensor : *tensors)
      bytes += tensor.sharedParameterBytes + tensor.activationBytes;
  return bytes;
}

/// Returns the copies of the ops of `units`. Erases those of `repeated`; null
/// stands for them.
std::vector<Operation*> copiesOfUnits(const EntryUnits& units,
                                      ArrayRef<RepeatedUnits> repeated,
                                      mlir::IRMapping& copies) {
  std::vector<Operation*> ops;
  for (const EntryUnit& unit : units.units())
    ops.push_back(copies.lookup(unit.op));
  for (const RepeatedUnits& run : repeated) {
    const auto left = ArrayRef(ops).slice(run.first, run.last - run.first);
    for (auto [late, early] : run.replacements) {
      copies.lookup(late).replaceUsesWithIf(
          copies.lookup(early), [&](mlir::OpOperand& use) {
            return !llvm::is_contained(left, use.getOwner());
          });
      copies.map(late, copies.lookup(early));
    }
    for (int64_t unit = run.last - 1; unit >= run.first; --unit) {
      ops[unit]->erase();
      ops[unit] = nullptr;
    }
  }
  return ops;
}

}  // namespace

FailureOr<UnitKindPricing> UnitKindPricing::create(
    ModuleOp module, FuncOp entry, const EntryUnits& units, const Mesh& group,
    MachineOp machine, int64_t microBatches, ReduceIn reduceIn) {
  const std::vector<RepeatedUnits> repeated = repeatedUnits(units);
  if (!repeated.empty()) {
    // Values of equal types may differ in what their dimensions mean, and then
    // the shorter program may have no micro-batches.
    mlir::ScopedDiagnosticHandler silently(
        module.getContext(), [](mlir::Diagnostic&) { return success(); });
    FailureOr<UnitKindPricing> shorter = build(
        module, entry, units, repeated, group, machine, microBatches, reduceIn);
    if (succeeded(shorter)) return shorter;
  }
  return build(module, entry, units, /*repeated=*/{}, group, machine,
               microBatches, reduceIn);
}

FailureOr<UnitKindPricing> UnitKindPricing::build(
    ModuleOp module, FuncOp entry, const EntryUnits& units,
    ArrayRef<RepeatedUnits> repeated, const Mesh& group, MachineOp machine,
    int64_t microBatches, ReduceIn reduceIn) {
  UnitKindPricing pricing(units);
  pricing.microBatches_ = microBatches;
  mlir::IRMapping copies;
  pricing.program_ = llvm::cast<ModuleOp>(module->clone(copies));
  ModuleOp program = *pricing.program_;
  const std::vector<Operation*> ops = copiesOfUnits(units, repeated, copies);
  mlir::SymbolTable symbols(program);
  for (auto function : program.getOps<FuncOp>())
    if (function.getName() != entry.getName()) function.setPrivate();
  pricing.addStages(ops, symbols.lookup<FuncOp>(entry.getName()), group,
                    symbols.lookup<MachineOp>(machine.getName()));

  if (failed(cutStages(program))) return failure();
  mlir::PassManager passes(program.getContext());
  DifferentiateOptions differentiate;
  differentiate.microBatches = microBatches;
  differentiate.reduceIn = reduceIn;
  passes.addPass(createDifferentiate(differentiate));
  passes.addNestedPass<FuncOp>(mlir::createCanonicalizerPass());
  passes.addNestedPass<FuncOp>(mlir::createCSEPass());
  if (failed(passes.run(program))) return failure();
  // The entry that evaluates the loss is not priced.
  mlir::SymbolTable(program).lookup<FuncOp>(entry.getName()).setPrivate();
  mlir::PassManager cleaning(program.getContext());
  cleaning.addPass(mlir::createSymbolDCEPass());
  if (failed(cleaning.run(program))) return failure();

  FailureOr<ProgramMeshes> meshes = meshesOfStages(program, stagesOf(program));
  if (failed(meshes) || failed(verifyPlaceable(program, *meshes)))
    return failure();
  pricing.meshes_ = std::make_unique<ProgramMeshes>(std::move(*meshes));
  return pricing;
}

/// Makes each of `ops`, the units of `entry`, a stage; null stands for a unit
/// that was left out. The first unit of each kind gets a group of its own. The
/// units between two such units share another group.
void UnitKindPricing::addStages(const std::vector<Operation*>& ops,
                                FuncOp entry, const Mesh& group,
                                MachineOp machine) {
  mlir::SymbolTable symbols(*program_);
  OpBuilder builder(entry);
  groups_.resize(units_->firstOfKinds().size());
  SmallVector<Attribute> ofStages;
  ProgramMeshes::Name others;
  auto newGroup = [&] {
    MeshOp mesh = createGroup(builder, "unit", machine, group);
    symbols.insert(mesh);
    return ProgramMeshes::Name::get(mesh);
  };
  int64_t stage = 0;
  for (auto [index, op] : llvm::enumerate(ops)) {
    if (!op) continue;
    op->setAttr(kStageAttrName, builder.getI64IntegerAttr(stage++));
    int64_t kind = units_->units()[index].kind;
    if (units_->firstOfKinds()[kind] == static_cast<int64_t>(index)) {
      ofStages.push_back(groups_[kind] = newGroup());
      others = {};
    } else {
      if (!others) others = newGroup();
      ofStages.push_back(others);
    }
  }
  StagesOp::create(builder, entry.getLoc(), builder.getArrayAttr(ofStages));
}

FailureOr<UnitKindPrice> UnitKindPricing::priceOf(ModuleOp program,
                                                  const Plan& plan,
                                                  double peakBytes,
                                                  int64_t kind,
                                                  const Device& device) const {
  ProgramMeshes::Name name = groups_[kind];
  const Mesh& mesh = meshes_->mesh(name);
  const EntryUnit& unit = firstOf(kind);
  UnitReader reader(program, unit, mesh);
  Planned planned(plan);
  if (failed(placeModule(program, ProgramMeshes(name, mesh), planned)))
    return failure();
  UnitKindPrice price = reader.read();
  if (price.operands.size() != unit.operands.size())
    return unit.op->emitOpError()
           << "has no price: the differentiated program does not run it";
  price.transientBytes = std::max(0.0, peakBytes - sumOf(price));
  FailureOr<UnitTasks> tasks = tasksOfUnit(program, device, microBatches_);
  if (failed(tasks)) return failure();
  price.tasks = *tasks;
  return price;
}

FailureOr<UnitKindPrice> UnitKindPricing::price(int64_t kind,
                                                const Device& device,
                                                SearchGoal goal,
                                                const search::SearchRun& run) {
  ProgramMeshes::Name name = groups_[kind];
  GroupProgram own(*program_, *meshes_, name);
  FailureOr<search::SearchedPlan> searched = search::searchPlan(
      own.module(), meshes_->mesh(name), device, SearchSpace::Full, goal, run);
  if (failed(searched)) return failure();
  double seconds = 0, peakBytes = 0;
  for (const search::EntryCost& cost : searched->entries) {
    seconds += cost.seconds();
    peakBytes = std::max(peakBytes, cost.memory.sum());
  }
  FailureOr<UnitKindPrice> price =
      priceOf(own.module(), searched->plan, peakBytes, kind, device);
  if (succeeded(price)) price->seconds = seconds;
  return price;
}

FailureOr<std::vector<UnitKindPrice>> UnitKindPricing::tradeOffs(
    int64_t kind, const Device& device, int64_t inFlight, size_t most,
    const search::SearchRun& run) {
  ProgramMeshes::Name name = groups_[kind];
  GroupProgram own(*program_, *meshes_, name);
  schedule::StageSlots slots;
  slots.inFlight = slots.awaitingBackward = inFlight;
  for (auto function : own.module().getOps<FuncOp>())
    if (auto task = taskOf(function); task && task->kind == TaskKind::Forward)
      markInFlight(function, slots);
  FailureOr<std::vector<search::TradeOffPlan>> plans = search::searchTradeOffs(
      own.module(), meshes_->mesh(name), device, most, run);
  if (failed(plans)) return failure();
  std::vector<UnitKindPrice> prices;
  for (const search::TradeOffPlan& plan : *plans) {
    mlir::IRMapping copies;
    mlir::OwningOpRef<ModuleOp> program(
        llvm::cast<ModuleOp>(own.module()->clone(copies)));
    FailureOr<UnitKindPrice> price = priceOf(
        *program, planOfCopy(plan.plan, copies), plan.peakBytes, kind, device);
    if (failed(price)) return failure();
    const UnitTasks& tasks = price->tasks;
    price->seconds = tasks.once + static_cast<double>(microBatches_) *
                                      (tasks.forward + tasks.backward);
    prices.push_back(std::move(*price));
  }
  return prices;
}

FailureOr<std::vector<std::vector<UnitKindPrice>>>
UnitKindPricing::priceTradeOffs(const Device& device, int64_t inFlight,
                                size_t most, const search::SearchRun& run) {
  std::vector<std::vector<UnitKindPrice>> prices;
  for (size_t kind = 0; kind < groups_.size(); ++kind) {
    double share = 1.0 / static_cast<double>(groups_.size() - kind);
    FailureOr<std::vector<UnitKindPrice>> ofKind = tradeOffs(
        static_cast<int64_t>(kind), device, inFlight, most, run.part(share));
    if (failed(ofKind)) return failure();
    prices.push_back(std::move(*ofKind));
  }
  return prices;
}

FailureOr<std::vector<UnitKindPrice>> UnitKindPricing::priceKinds(
    const Device& device, SearchGoal goal, const search::SearchRun& run) {
  std::vector<UnitKindPrice> prices;
  for (size_t kind = 0; kind < groups_.size(); ++kind) {
    double share = 1.0 / static_cast<double>(groups_.size() - kind);
    FailureOr<UnitKindPrice> one =
        price(static_cast<int64_t>(kind), device, goal, run.part(share));
    if (failed(one)) return failure();
    prices.push_back(std::move(*one));
  }
  return prices;
}

}  // namespace sbp
