#include "passes/cut/ChooseStages.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/cut/CutAdvice.h"
#include "passes/cut/EntryUnits.h"
#include "passes/cut/GroupCounts.h"
#include "passes/cut/GroupShape.h"
#include "passes/cut/MarkStages.h"
#include "passes/cut/ScheduledStages.h"
#include "passes/cut/StageCut.h"
#include "passes/cut/StageGroups.h"
#include "passes/cut/UnitKindPricing.h"
#include "passes/cut/UnitPrices.h"
#include "passes/cut/UnitTransfers.h"
#include "passes/module/TrainedEntry.h"
#include "passes/placement/Target.h"
#include "passes/placement/WatchedSearch.h"
#include "passes/stages/LiftParameterReads.h"
#include "passes/stages/Stages.h"
#include "runtime/bytes/Bytes.h"
#include "runtime/text/Counted.h"

namespace sbp {

using mlir::success;
using mlir::func::FuncOp;

namespace {

/// Fails at a pin: a pin places a tensor on all ranks, but a stage runs on
/// some.
LogicalResult refusePins(ModuleOp module) {
  mlir::WalkResult result = module.walk([](Operation* op) {
    Attribute pin = op->getAttr(kPinAttrName);
    if (!pin) pin = op->getAttr(kStatePinAttrName);
    if (auto pinned = llvm::dyn_cast<PinOp>(op)) pin = pinned.getPlacement();
    if (auto function = llvm::dyn_cast<FuncOp>(op))
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (Attribute of = function.getArgAttr(i, kPinAttrName)) pin = of;
    if (Attribute signature = op->getAttr(kSignatureAttrName)) pin = signature;
    if (!pin) return mlir::WalkResult::advance();
    op->emitOpError() << "is pinned to " << pin
                      << ", but its stage and the ranks of this stage are "
                         "still to be chosen; choose stages without pins, and "
                         "write them into the result";
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Returns the entry whose costs decide where stages begin.
FailureOr<FuncOp> trainedEntry(ModuleOp module) {
  if (FuncOp entry = trainedEntryOf(module)) return entry;
  return module.emitError()
         << "no function is to be trained, or it is differentiated already: "
            "stages are chosen by the costs of the one with '"
         << nn::kOptimizerAttrName << "'";
}

GroupCounts groupsOf(const ChooseStagesOptions& options) {
  if (options.groups.isGiven()) return options.groups;
  return GroupCounts(options.stages);
}

class Chooser {
 public:
  Chooser(ModuleOp module, FuncOp entry, Target target,
          const ChooseStagesOptions& options)
      : module_(module),
        entry_(entry),
        target_(std::move(target)),
        options_(options),
        numStages_(options.stages),
        numGroups_(groupsOf(options).numGroups()),
        machine_(lookupMachine(module, target_.name)),
        symbols_(module),
        units_(entry, symbols_),
        scheduled_(scheduledStages(options.schedule, numStages_, numGroups_,
                                   options.microBatches)) {}

  /// Cuts nothing. Returns an estimate of the seconds of a step with the best
  /// cut, the time to fill the pipeline included; nullopt if no cut fits.
  std::optional<double> trySeconds() {
    isTrial_ = true;
    if (units_.numUnits() < numStages_ || failed(nameGroups()))
      return std::nullopt;
    FailureOr<StageCut> cut = findCut();
    if (failed(cut)) return std::nullopt;
    const auto microBatches = static_cast<double>(scheduled_.microBatches);
    return cut->seconds *
           (1 + static_cast<double>(numGroups_ - 1) / microBatches);
  }

  LogicalResult run() {
    if (units_.numUnits() < numStages_)
      return mlir::emitError(entry_.getLoc())
             << "@" << entry_.getName() << " has " << units_.numUnits()
             << " ops and calls to divide into stages, too few for "
             << numStages_ << " stages";
    if (failed(nameGroups())) return failure();
    FailureOr<StageCut> cut = findCut();
    if (failed(cut)) return failure();
    OpBuilder builder(entry_);
    builder.setInsertionPointAfter(module_.lookupSymbol(target_.name));
    SmallVector<Attribute> ofStages;
    for (auto [name, mesh] : llvm::zip(groups_.names, groups_.meshes))
      createGroup(builder, name.getValue(), machine_, mesh);
    for (int64_t group : groups_.ofStage)
      ofStages.push_back(groups_.names[group]);
    StagesOp::create(builder, machine_.getLoc(),
                     builder.getArrayAttr(ofStages));
    markStages(module_, units_, cut->begins);
    return success();
  }

 private:
  /// Divides the ranks, and finds names that the module does not have.
  LogicalResult nameGroups() {
    const auto shape = shapeOf(target_.mesh, groupsOf(options_));
    if (!shape) return refuseGroups();
    FailureOr<Mesh> levels =
        lookupMesh(module_, mlir::FlatSymbolRefAttr::get(machine_));
    if (failed(levels)) return failure();
    groups_.machine = std::move(*levels);
    groups_.meshes = divideIntoGroups(target_.mesh, *shape);
    groups_.ofStage = scheduled_.groups;
    std::string prefix = "group";
    auto nameOf = [&](int64_t group) { return prefix + std::to_string(group); };
    auto isTaken = [&](int64_t group) {
      return module_.lookupSymbol(nameOf(group)) != nullptr;
    };
    auto all = llvm::seq<int64_t>(0, numGroups_);
    while (llvm::any_of(all, isTaken)) prefix += "_";
    for (int64_t group : all)
      groups_.names.push_back(
          mlir::FlatSymbolRefAttr::get(module_.getContext(), nameOf(group)));
    return success();
  }

  LogicalResult refuseGroups() {
    auto sizes = llvm::map_range(target_.mesh.axes, [](const MeshAxis& axis) {
      return std::to_string(axis.size);
    });
    return machine_.emitOpError()
           << "has " << llvm::join(sizes, " x ") << " ranks in the axes of "
           << target_.name << ", which cannot be divided into "
           << groupsOf(options_).str() << " equal groups; there can be "
           << possibleCounts(target_.mesh);
  }

  FailureOr<StageCut> findCut() {
    // Warnings are dropped here. The later search of each stage reports again
    // which costs are assumed and what is not proven.
    mlir::ScopedDiagnosticHandler silently(
        module_.getContext(), [](mlir::Diagnostic& diagnostic) {
          return success(diagnostic.getSeverity() ==
                         mlir::DiagnosticSeverity::Remark);
        });
    Device device = target_.deviceOrAssumed(module_);
    double limit = device.memoryBytes;
    if (options_.memory > 0) limit = options_.memory;
    // Stages on one group share the memory of its devices.
    limit /= static_cast<double>(scheduled_.mostOnOneGroup());
    device.memoryBytes = std::numeric_limits<double>::infinity();
    FailureOr<UnitKindPricing> pricing = UnitKindPricing::create(
        module_, entry_, units_, groups_.meshes.front(), machine_,
        scheduled_.microBatches, options_.reduceIn);
    if (failed(pricing)) return failure();

    WatchedSearch watched(module_.getContext(), options_.searchSeconds,
                          options_.searchMemory);
    UnitChain chain;
    chain.loads = scheduled_.loads;
    for (SearchGoal goal : {SearchGoal::Time, SearchGoal::Memory}) {
      // If the fastest plans fit, the loop ends before the second goal.
      FailureOr<std::vector<UnitKindPrice>> prices = pricing->priceKinds(
          device, goal, watched.run().part(goal == SearchGoal::Time ? 0.5 : 1));
      if (failed(prices)) return failure();
      chain.plans.push_back(pricesOfUnits(units_, *prices));
      if (goal == SearchGoal::Time)
        chain.transfers =
            transfersOf(units_, *prices, groups_, scheduled_.microBatches);
      auto cut = cheapestCut(chain, limit);
      if (!cut) continue;
      auto fastest = cheapestCut(chain, device.memoryBytes);
      if (goal == SearchGoal::Memory || cut->seconds <= fastest->seconds)
        return *cut;
    }
    return refuseMemory(leastMemory(chain), limit);
  }

  FailureOr<StageCut> refuseMemory(const StageMemory& least, double limit) {
    if (isTrial_) return failure();
    auto share = static_cast<double>(scheduled_.mostOnOneGroup());
    mlir::InFlightDiagnostic error =
        mlir::emitError(entry_.getLoc())
        << "@" << entry_.getName() << " has no cut into " << numStages_
        << " stages that fits in the " << bytes::toExactText(share * limit)
        << " of a device; the smallest one is estimated to take "
        << bytes::toExactText(share * least.bytes());
    error.attachNote(units_.units()[least.begin].op->getLoc())
        << "stage " << least.stage << " needs most, which begins here and has "
        << text::counted(least.end - least.begin, "unit") << ": "
        << partsText(least);
    if (!options_.terse)
      error.attachNote() << adviceForCut(module_, options_, trySecondsOf);
    return error;
  }

  /// Returns what takes the bytes of `memory`.
  static std::string partsText(const StageMemory& memory) {
    SmallVector<std::string> parts;
    const auto add = [&](double bytes, const std::string& what) {
      if (bytes > 0) parts.push_back(bytes::toText(bytes) + " " + what);
    };
    add(memory.weights, "parameters");
    add(memory.state, "optimiser state and sums of gradients");
    add(memory.inFlight * memory.activations,
        "activations of " +
            std::to_string(static_cast<int64_t>(std::ceil(memory.inFlight))) +
            (memory.inFlight > 1 ? " micro-batches" : " micro-batch") +
            " in flight");
    add(memory.transient, "while a unit runs");
    return llvm::join(parts, " + ");
  }

  static std::optional<double> trySecondsOf(
      ModuleOp module, const ChooseStagesOptions& options) {
    mlir::ScopedDiagnosticHandler silently(
        module.getContext(), [](mlir::Diagnostic&) { return success(); });
    FailureOr<Target> target = chooseTarget(module, "");
    if (failed(target)) return std::nullopt;
    return Chooser(module, trainedEntryOf(module), std::move(*target), options)
        .trySeconds();
  }

  ModuleOp module_;
  FuncOp entry_;
  Target target_;
  const ChooseStagesOptions& options_;
  int64_t numStages_, numGroups_;
  MachineOp machine_;
  mlir::SymbolTable symbols_;
  EntryUnits units_;
  ScheduledStages scheduled_;
  StageGroupList groups_;
  bool isTrial_ = false;  // refuses without a diagnostic
};

}  // namespace

LogicalResult chooseStages(ModuleOp module,
                           const ChooseStagesOptions& options) {
  const int64_t numStages = options.stages;
  const int64_t numGroups = groupsOf(options).numGroups();
  if (StagesOp stages = stagesOf(module))
    return stages.emitOpError()
           << "lists the " << stages.getGroups().size()
           << " stages of the model, but " << numStages
           << " are to be chosen; remove it and the attributes '"
           << kStageAttrName << "', or do not ask for stages";
  if (numStages < numGroups)
    return module.emitError()
           << numStages << " stages are too few for " << numGroups
           << " groups; each group needs at least one stage";
  FailureOr<FuncOp> entry = trainedEntry(module);
  if (failed(entry) || failed(refusePins(module))) return failure();
  FailureOr<Target> target = chooseTarget(module, "");
  if (failed(target)) return failure();
  liftParameterReads(module);
  return Chooser(module, *entry, std::move(*target), options).run();
}

}  // namespace sbp
