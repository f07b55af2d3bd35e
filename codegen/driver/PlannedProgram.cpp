#include "codegen/driver/PlannedProgram.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "codegen/driver/FusedTimes.h"
#include "dialects/nn/Calls.h"
#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/explain/Explanation.h"
#include "passes/explain/PipelineExplanation.h"
#include "passes/module/PlacedTypes.h"
#include "passes/names/Names.h"
#include "passes/placement/FreeLayers.h"
#include "passes/schedule/families/Family.h"
#include "passes/stages/Schedule.h"
#include "passes/stages/ScheduleText.h"
#include "passes/stages/Stages.h"

namespace sbp {

using mlir::failed;
using mlir::failure;
using mlir::success;
using mlir::func::FuncOp;

namespace {

/// Returns `name` without numbers at its end that follow `before`: "w_0_1"
/// becomes "w".
StringRef withoutNumbers(StringRef name, char before) {
  while (true) {
    const StringRef stem = name.rtrim("0123456789");
    if (stem.size() == name.size() || stem.size() < 2 || stem.back() != before)
      return name;
    name = stem.drop_back();
  }
}

/// One micro-batch of a function, as a part of its name.
constexpr llvm::StringLiteral kPartOfName = ".part";

class Reader {
 public:
  Reader(ModuleOp module, const Device& device, const KernelTarget& kernels)
      : module_(module), device_(device), kernels_(kernels) {}

  FailureOr<PlannedProgram> run() {
    FailureOr<PlacedMeshes> meshes = placedMeshesOf(module_);
    if (failed(meshes)) return failure();
    meshes_ = &*meshes;
    if (failed(stagesOf(module_) ? readPipeline() : readWhole()))
      return failure();
    readPlacements();
    readRecomputed();
    readMemory();
    return std::move(program_);
  }

 private:
  LogicalResult readWhole() {
    auto explanation =
        explain(module_, *meshes_, device_, kernelSharesIn(module_, device_));
    if (failed(explanation)) return failure();
    PlannedGroup all;
    const Mesh& mesh =
        meshes_->all ? meshes_->of(meshes_->all) : meshes_->machine;
    for (const MeshAxis& axis : mesh.axes) all.extents.push_back(axis.size);
    all.ranks.resize(mesh.numRanks());
    std::iota(all.ranks.begin(), all.ranks.end(), 0);
    for (const ExplainedEntry& entry : explanation->entries) {
      const double seconds = entry.computing() + entry.communicating();
      if (seconds < program_.seconds) continue;
      program_.entry = entry.name;
      program_.seconds = all.busy = seconds;
      program_.time = {entry.computing(), entry.communicating(), 0, 0};
    }
    program_.groups.push_back(std::move(all));
    readRepetition();
    return success();
  }

  /// Reads the number of micro-batches of a program without a schedule.
  void readRepetition() {
    module_.walk([&](nn::RepeatOp repeat) {
      program_.microBatches = std::max<int64_t>(
          program_.microBatches, static_cast<int64_t>(repeat.getTimes()));
    });
  }

  LogicalResult readPipeline() {
    auto pipeline = explainPipeline(module_, *meshes_, device_,
                                    kernelSharesIn(module_, device_));
    FailureOr<std::optional<schedule::Table>> table = scheduleOf(module_);
    if (failed(pipeline) || failed(table)) return failure();
    const ExplainedRun& run = *llvm::max_element(
        pipeline->runs, [](const ExplainedRun& a, const ExplainedRun& b) {
          return a.secondsOfOneStep.value_or(a.seconds) <
                 b.secondsOfOneStep.value_or(b.seconds);
        });
    program_.entry = run.entry;
    program_.seconds = run.seconds;
    program_.microBatches = run.numMicroBatches;
    double numRanks = 0;
    for (auto [index, group] : llvm::enumerate(pipeline->groups)) {
      PlannedGroup planned = {group.name, group.ranks, {}, run.busy[index]};
      for (const MeshAxis& axis : meshes_->byName.at(group.name).axes)
        planned.extents.push_back(axis.size);
      const auto ranks = static_cast<double>(group.ranks.size());
      numRanks += ranks;
      program_.sent += run.sent[index];
      PlannedTime time;
      for (const ExplainedTask& task : run.tasks) {
        if (task.group != static_cast<int64_t>(index)) continue;
        time.computing += task.computing;
        time.communicating += task.communicating;
      }
      time.other =
          std::max(0.0, run.busy[index] - time.computing - time.communicating);
      time.idle = std::max(0.0, run.seconds - run.busy[index]);
      for (auto part : kParts) program_.time.*part += ranks * time.*part;
      program_.groups.push_back(std::move(planned));
    }
    for (auto part : kParts) program_.time.*part /= numRanks;
    readStages();
    if (*table) readSchedule(**table);
    return success();
  }

  void readSchedule(const schedule::Table& table) {
    const StageWorkers workers = workersOf(stagesOf(module_));
    for (auto op : module_.getOps<ScheduleOp>())
      for (auto row : op.getRows().getAsRange<mlir::StringAttr>())
        program_.rows.push_back(row.getValue().str());
    program_.schedule = "a table of its own";
    for (const schedule::Family& family : schedule::families())
      for (const char* parameters : {"", "<recompute = true>"}) {
        const std::string text = std::string(family.name) + parameters;
        const auto made =
            tableOfText(text, workers.workerOfStage, workers.numWorkers(),
                        table.numMicroBatches);
        if (!made.ok() || !(*made == table)) continue;
        program_.schedule = text;
        return;
      }
  }

  /// Reads what each stage of the entry runs. A function of a stage is compared
  /// once, its forward pass.
  void readStages() {
    StagesOp stages = stagesOf(module_);
    std::map<int64_t, FuncOp> functions;
    for (auto function : module_.getOps<FuncOp>()) {
      const std::optional<int64_t> stage = stageOf(function);
      if (!stage) continue;
      auto kind = function->getAttrOfType<TaskKindAttr>(kKindAttrName);
      if (kind ? kind.getValue() == TaskKind::Forward
               : functions.count(*stage) == 0)
        functions[*stage] = function;
    }
    for (auto [stage, function] : functions) {
      PlannedStage planned;
      planned.group = groupOf(stages, stage).getValue().str();
      for (Operation& op : function.getBody().front())
        if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op))
          count(planned, layerIn(call.getCallee()));
        else if (isUnit(op))
          count(planned, "op");
      program_.stages.push_back(std::move(planned));
    }
  }

  static bool isUnit(Operation& op) {
    return llvm::isa<DistributedOpInterface>(op) && !llvm::isa<BoxOp>(op) &&
           !isSource(&op);
  }

  static void count(PlannedStage& stage, const std::string& layer) {
    ++stage.units;
    auto known = llvm::find_if(
        stage.calls, [&](const auto& call) { return call.first == layer; });
    if (known == stage.calls.end())
      stage.calls.emplace_back(layer, 1);
    else
      ++known->second;
  }

  /// Returns the name of the layer of the function `name`, without what the
  /// compiler adds for groups, micro-batches, halves of its derivative and
  /// copies.
  std::string layerIn(StringRef name) {
    std::string layer = kindOfFunction(name);
    for (StringRef half : {".forward", ".recompute"})
      if (StringRef(layer).ends_with(half))
        layer.resize(layer.size() - half.size());
    return layer;
  }

  /// Returns `name` without what distinguishes functions that compute the same:
  /// "attention.part.forward.group1" becomes "attention.forward".
  std::string kindOfFunction(StringRef name) {
    if (auto function = module_.lookupSymbol<FuncOp>(name)) {
      if (stageOf(function))
        name = name.take_front(name.find(".stage"));
      else
        name = layerOf(function);
    }
    for (const PlannedGroup& group : program_.groups)
      if (!group.name.empty() && name.ends_with("." + group.name))
        name = name.drop_back(group.name.size() + 1);
    // Derivatives for other operands have numbers.
    name = withoutNumbers(name, '.');
    // A backward in halves is compared with a whole one.
    for (StringRef half : {".input", ".weight"})
      if (StringRef whole = name; whole.consume_back(half))
        if (whole.ends_with(".backward")) name = whole;
    std::string kind = name.str();
    if (size_t part = kind.find(kPartOfName); part != std::string::npos)
      kind.erase(part, kPartOfName.size());
    return kind;
  }

  void readPlacements() {
    for (auto parameter : module_.getOps<nn::ParameterOp>())
      if (std::string text = placementOf(parameter.getType()); !text.empty())
        program_.parameters[parameter.getSymName().str()].insert(text);
    for (auto function : module_.getOps<FuncOp>()) {
      const std::string layer = kindOfFunction(function.getName());
      function.walk([&](Operation* op) {
        if (!llvm::isa<DistributedOpInterface>(op) || llvm::isa<BoxOp>(op) ||
            isSource(op))
          return;
        for (Value result : op->getResults()) {
          const std::string name = spelledName(result);
          const std::string text = placementOf(result.getType());
          if (!name.empty() && !text.empty())
            program_.tensors[{layer, "%" + name}].insert(text);
        }
      });
    }
  }

  /// Returns the name of `value` as texts of forms spell it: as an identifier,
  /// here without the numbers that tell it from others. Empty if it has none,
  /// or that of a parameter.
  std::string spelledName(Value value) {
    std::string name = nameOf(value);
    std::replace(name.begin(), name.end(), ' ', '_');
    StringRef spelled = StringRef(name).ltrim("%@");
    spelled = withoutNumbers(spelled, '_');
    return module_.lookupSymbol<nn::ParameterOp>(spelled) ? "" : spelled.str();
  }

  /// Returns the placement in `type`, with the extents of its mesh: "[S(0), B]
  /// on 2 x 4". Empty if it has none.
  std::string placementOf(Type type) const {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    NdSbpAttr placement = tensor ? NdSbpAttr::of(tensor) : NdSbpAttr();
    if (!placement) return "";
    std::string text = stringOf(placement.getComponents()) + " on ";
    const Mesh& mesh = meshes_->of(placement.getMesh());
    for (const MeshAxis& axis : mesh.axes) {
      if (&axis != &mesh.axes.front()) text += " x ";
      text += std::to_string(axis.size);
    }
    return text;
  }

  void readRecomputed() {
    std::set<std::string> layers;
    for (auto function : module_.getOps<FuncOp>())
      if (function->hasAttr(nn::kRecomputesAttrName))
        layers.insert(layerIn(function.getName()));
    program_.recomputed.assign(layers.begin(), layers.end());
  }

  void readMemory() {
    const auto uses = allArenas(module_, kernels_);
    program_.hasMemory = uses.has_value();
    if (!uses) return;
    double most = -1;
    for (const ArenaUse& use : *uses) {
      if (use.entry != program_.entry) continue;
      const auto bytes = static_cast<double>(use.bytes);
      for (PlannedGroup& group : program_.groups)
        if (llvm::is_contained(group.ranks, use.rank))
          group.bytes = std::max(group.bytes, bytes);
      if (bytes <= most) continue;
      most = bytes;
      program_.parts = use.parts;
    }
  }

  static constexpr double PlannedTime::* kParts[] = {
      &PlannedTime::computing, &PlannedTime::communicating, &PlannedTime::other,
      &PlannedTime::idle};

  ModuleOp module_;
  const Device& device_;
  const KernelTarget& kernels_;
  const PlacedMeshes* meshes_ = nullptr;
  PlannedProgram program_;
};

}  // namespace

FailureOr<PlannedProgram> plannedProgramOf(ModuleOp boxed, const Device& device,
                                           const KernelTarget& kernels) {
  return Reader(boxed, device, kernels).run();
}

}  // namespace sbp
