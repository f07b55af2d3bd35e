#include "passes/explain/Explanation.h"

#include <map>
#include <utility>

#include "dialects/nn/Nn.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/CallCounts.h"
#include "passes/boxing/Cost.h"
#include "passes/boxing/Transitions.h"
#include "passes/cost/OpCost.h"
#include "passes/localize/CommunicatingOps.h"
#include "passes/names/Names.h"
#include "passes/placement/FreeLayers.h"
#include "passes/placement/Signatures.h"

namespace sbp {

using mlir::func::FuncOp;

namespace {

std::string shapeText(ArrayRef<int64_t> shape, Type elementType) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (int64_t extent : shape) stream << extent << "x";
  stream << elementType;
  return text;
}

/// What `box` moves, before anything moved it.
Value asMade(BoxOp box) {
  Value value = box.getInput();
  while (auto before = value.getDefiningOp<BoxOp>()) value = before.getInput();
  return value;
}

class Explainer {
 public:
  Explainer(ModuleOp module, const Mesh& mesh, const Device& device)
      : module_(module),
        mesh_(mesh),
        device_(device),
        symbols_(module),
        transitions_(mesh),
        communicatingOps_(mesh, device) {}

  Explanation run() {
    Explanation explanation;
    for (auto function : module_.getOps<FuncOp>())
      if (function.isPublic())
        explanation.entries.push_back(explainEntry(function));
    for (auto parameter : module_.getOps<nn::ParameterOp>()) {
      auto type = llvm::cast<RankedTensorType>(parameter.getType());
      double& bytes = parameter.getState() ? explanation.memory.state
                                           : explanation.memory.parameters;
      bytes += static_cast<double>(
          alignedBytes(static_cast<int64_t>(bytesOf(type))));
    }
    return explanation;
  }

 private:
  double bytesOf(RankedTensorType type) const {
    return static_cast<double>(
        largestLocalBytes(type.getShape(), elementBytes(type.getElementType()),
                          NdSbpAttr::of(type).getComponents(), mesh_));
  }

  ExplainedEntry explainEntry(FuncOp entry) {
    ExplainedEntry explained;
    explained.name = entry.getName().str();
    levels_.clear();
    for (const MeshAxis& axis : mesh_.axes) levels_[axis.level];
    for (auto [function, times] : callCounts(entry, symbols_))
      explained.functions.push_back(explainFunction(function, times));
    for (auto [level, traffic] : levels_)
      explained.levels.push_back({level, traffic.bytes, traffic.seconds});
    return explained;
  }

  ExplainedFunction explainFunction(FuncOp function, int64_t times) {
    ExplainedFunction explained;
    explained.name = function.getName().str();
    explained.layer = layerOf(function).str();
    explained.times = times;
    if (auto calls =
            function->getAttrOfType<mlir::DenseI64ArrayAttr>(kCallsAttrName))
      explained.calls = calls.asArrayRef().vec();
    for (Operation& op : function.getBody().front()) {
      if (auto box = llvm::dyn_cast<BoxOp>(op))
        explained.movements.push_back(explainMovement(box, times));
      else if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op))
        explained.ops.push_back(explainOp(distributed, times));
    }
    return explained;
  }

  ExplainedMovement explainMovement(BoxOp box, int64_t times) {
    auto from = llvm::cast<RankedTensorType>(box.getInput().getType());
    auto to = llvm::cast<RankedTensorType>(box.getResult().getType());
    int64_t size = elementBytes(to.getElementType());
    ArrayRef<Component> source = NdSbpAttr::of(from).getComponents();
    ArrayRef<Component> target = NdSbpAttr::of(to).getComponents();
    Transition way = transitions_.path(source, target, to.getShape(), size);

    ExplainedMovement explained;
    Value tensor = asMade(box);
    explained.tensor = nameOf(tensor);
    explained.place = placeOf(tensor.getLoc());
    explained.type = shapeText(to.getShape(), to.getElementType());
    explained.from = stringOf(source);
    explained.to = stringOf(target);
    int64_t before = largestLocalBytes(to.getShape(), size, source, mesh_);
    for (const Step& step : way.steps) {
      int64_t after =
          largestLocalBytes(to.getShape(), size, step.result, mesh_);
      explained.steps.push_back(explainStep(
          stringOf(step.kind()).str(), step.axes, times,
          static_cast<double>(std::max(before, after)),
          stepTraffic(step.kind(), step.axes, before, after, mesh_)));
      explained.seconds += explained.steps.back().seconds;
      before = after;
    }
    return explained;
  }

  ExplainedOp explainOp(DistributedOpInterface op, int64_t times) {
    auto type = llvm::cast<RankedTensorType>(op->getResult(0).getType());
    ArrayRef<Component> placement = NdSbpAttr::of(type).getComponents();
    ExplainedOp explained;
    explained.name = op->getName().getStringRef().str();
    explained.tensor = nameOf(op->getResult(0));
    explained.place = placeOf(op->getLoc());
    explained.placement = stringOf(placement);
    explained.type = shapeText(type.getShape(), type.getElementType());
    explained.localType =
        shapeText(largestLocalShape(type.getShape(), placement, mesh_),
                  type.getElementType());
    LoopNest nest = loopNestOf(op);
    SmallVector<Signature, 3> perAxis = signaturesOn(op, nest);
    if (communicates(perAxis)) {
      addOwnCost(op, times, explained);
      return explained;
    }
    double points = pointsPerDevice(nest, mesh_, splitLoopsOf(perAxis));
    double bytes = 0;
    for (Value value : op->getOperands())
      bytes += bytesOf(llvm::cast<RankedTensorType>(value.getType()));
    for (Value value : op->getResults())
      bytes += bytesOf(llvm::cast<RankedTensorType>(value.getType()));
    explained.seconds =
        static_cast<double>(times) *
        opSeconds(device_, op, nest.flopsPerPoint * points, bytes);
    return explained;
  }

  void addOwnCost(Operation* op, int64_t times, ExplainedOp& explained) {
    auto placementsOf = [](ValueRange values) {
      return llvm::map_to_vector(values, [](Value value) {
        return Placement(NdSbpAttr::of(value.getType()).getComponents());
      });
    };
    const CommunicatingOpCost& cost = communicatingOps_.costOf(
        op, placementsOf(op->getOperands()), placementsOf(op->getResults()));
    explained.seconds = static_cast<double>(times) * cost.computing;
    for (const OwnCollective& collective : cost.collectives) {
      explained.steps.push_back(explainStep(
          collective.name, collective.axes, times * collective.number,
          collective.bytes, collective.traffic));
      explained.communicating += explained.steps.back().seconds;
    }
  }

  /// `number` steps, of which each sends `traffic`. Adds it to the levels.
  ExplainedStep explainStep(std::string what, ArrayRef<int64_t> axes,
                            int64_t number, double partBytes,
                            ArrayRef<LevelTraffic> traffic) {
    ExplainedStep step;
    step.what = std::move(what);
    for (int64_t axis : axes) step.axes.push_back(mesh_.axes[axis].name);
    step.number = number;
    step.partBytes = partBytes;
    auto times = static_cast<double>(number);
    for (const LevelTraffic& sent : traffic) {
      LevelTraffic& level = levels_[sent.level];
      level.bytes += times * sent.bytes;
      level.seconds += times * sent.seconds;
      step.bytes += times * sent.bytes;
      step.seconds += times * sent.seconds;
    }
    return step;
  }

  ModuleOp module_;
  const Mesh& mesh_;
  const Device& device_;
  mlir::SymbolTable symbols_;
  TransitionTable transitions_;
  CommunicatingOps communicatingOps_;
  std::map<int64_t, LevelTraffic> levels_;  // of the entry
};

}  // namespace

double ExplainedFunction::computing() const {
  double seconds = 0;
  for (const ExplainedOp& op : ops) seconds += op.seconds;
  return seconds;
}

double ExplainedFunction::communicating() const {
  double seconds = 0;
  for (const ExplainedOp& op : ops) seconds += op.communicating;
  for (const ExplainedMovement& movement : movements)
    seconds += movement.seconds;
  return seconds;
}

double ExplainedEntry::computing() const {
  double seconds = 0;
  for (const ExplainedFunction& function : functions)
    seconds += function.computing();
  return seconds;
}

double ExplainedEntry::communicating() const {
  double seconds = 0;
  for (const ExplainedFunction& function : functions)
    seconds += function.communicating();
  return seconds;
}

Explanation explain(ModuleOp boxed, const Mesh& mesh, const Device& device) {
  return Explainer(boxed, mesh, device).run();
}

}  // namespace sbp
