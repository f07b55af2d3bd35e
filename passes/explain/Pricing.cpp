#include "passes/explain/Pricing.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "passes/boxing/Cost.h"
#include "passes/boxing/Transitions.h"
#include "passes/cost/OpCost.h"
#include "passes/explain/ShapeText.h"
#include "passes/names/Names.h"

namespace sbp {

using mlir::FlatSymbolRefAttr;

namespace {

/// Returns the tensor that `box` moves, before any box moved it.
Value asMade(BoxOp box) {
  Value value = box.getInput();
  while (auto before = value.getDefiningOp<BoxOp>()) value = before.getInput();
  return value;
}

/// Adds to `step` the traffic of one execution, times the number of executions.
void addTraffic(ArrayRef<LevelTraffic> traffic, ExplainedStep& step) {
  auto times = static_cast<double>(step.number);
  for (const LevelTraffic& sent : traffic) {
    step.traffic.push_back(
        {sent.level, times * sent.bytes, times * sent.seconds});
    step.bytes += times * sent.bytes;
    step.seconds += times * sent.seconds;
  }
}

/// Returns a step on `mesh` that is executed `number` times. Each execution has
/// the traffic `traffic`.
ExplainedStep explainStep(std::string what, ArrayRef<int64_t> axes,
                          const Mesh& mesh, int64_t number, double partBytes,
                          ArrayRef<LevelTraffic> traffic) {
  ExplainedStep step;
  step.what = std::move(what);
  for (int64_t axis : axes) step.axes.push_back(mesh.axes[axis].name);
  step.number = number;
  step.partBytes = partBytes;
  addTraffic(traffic, step);
  return step;
}

}  // namespace

ExplainedMovement Pricing::explain(BoxOp box, int64_t times) {
  auto from = llvm::cast<RankedTensorType>(box.getInput().getType());
  auto to = llvm::cast<RankedTensorType>(box.getResult().getType());
  int64_t size = elementBytes(to.getElementType());
  NdSbpAttr source = NdSbpAttr::of(from), target = NdSbpAttr::of(to);

  ExplainedMovement explained;
  Value tensor = asMade(box);
  explained.tensor = nameOf(tensor);
  explained.place = placeOf(tensor.getLoc());
  explained.type = shapeText(to.getShape(), to.getElementType());
  explained.from = stringOf(source.getComponents());
  explained.to = stringOf(target.getComponents());
  if (box.crosses()) {
    Move move = transitions_.move(source, target, to.getShape(), size);
    ExplainedStep step;
    step.what = "transfer";
    step.number = times;
    step.partBytes = move.busiestRankBytes;
    explained.crossingBytes = static_cast<double>(times) * move.bytes;
    addTraffic({{move.level, move.busiestRankBytes, move.seconds}}, step);
    explained.seconds = step.seconds;
    explained.steps.push_back(std::move(step));
    return explained;
  }
  const Mesh& mesh = meshes_.of(target.getMesh());
  const BoxBuckets& buckets = bucketsAround(box);
  for (auto [index, sized] : llvm::enumerate(transitions_.steps(box))) {
    const BoxingStep& step = sized.step;
    const auto bytes = static_cast<double>(sized.largestBytes());
    const double bucket = buckets.bytesOf(box, index);
    SmallVector<LevelTraffic, 3> traffic;
    if (auto collective = collectiveOf(step.kind()))
      traffic = trafficInBucket(*collective, step.axes, bytes, bucket, mesh);
    explained.steps.push_back(explainStep(
        stringOf(step.kind()).str(), step.axes, mesh, times, bytes, traffic));
    if (bucket > bytes) explained.steps.back().bucketBytes = bucket;
    explained.seconds += explained.steps.back().seconds;
  }
  return explained;
}

const BoxBuckets& Pricing::bucketsAround(BoxOp box) {
  auto function = box->getParentOfType<mlir::func::FuncOp>();
  std::unique_ptr<BoxBuckets>& buckets = buckets_[function];
  if (!buckets) buckets = std::make_unique<BoxBuckets>(function, transitions_);
  return *buckets;
}

ExplainedOp Pricing::explain(DistributedOpInterface op, int64_t times) {
  auto type = llvm::cast<RankedTensorType>(op->getResult(0).getType());
  NdSbpAttr lies = NdSbpAttr::of(type);
  ArrayRef<Component> placement = lies.getComponents();
  const Mesh& mesh = meshes_.of(lies.getMesh());
  ExplainedOp explained;
  explained.name = op->getName().getStringRef().str();
  explained.tensor = nameOf(op->getResult(0));
  explained.place = placeOf(op->getLoc());
  explained.placement = stringOf(placement);
  explained.type = shapeText(type.getShape(), type.getElementType());
  explained.localType =
      shapeText(largestLocalShape(type.getShape(), placement, mesh),
                type.getElementType());
  const LoopNest nest = loopNestOf(op);
  const MeshSignature signature = placedSignature(op, nest, mesh);
  const OpPrice once = price(op, nest, lies.getMesh(), signature);
  const double alone = static_cast<double>(times) * once.computing;
  explained.seconds = alone * shares_.of(op);
  explained.saved = alone - explained.seconds;
  if (!signature.communicates()) return explained;
  for (const CollectiveGroupCost& collective :
       ownCost(op, lies.getMesh(), signature).collectives) {
    explained.steps.push_back(explainStep(
        collective.name, collective.axes, mesh, times * collective.number,
        collective.bytes, collective.traffic));
    explained.communicating += explained.steps.back().seconds;
  }
  return explained;
}

MeshSignature placedSignature(DistributedOpInterface op, const LoopNest& nest,
                              const Mesh& mesh) {
  auto placementOf = [](Type type) {
    return Placement(NdSbpAttr::of(type).getComponents());
  };
  MeshSignature signature;
  for (Type type : op->getOperandTypes())
    signature.operands.push_back(placementOf(type));
  for (Type type : op->getResultTypes())
    signature.results.push_back(placementOf(type));
  const SmallVector<Signature, 3> perAxis = signaturesPerAxis(op, nest);
  for (auto [axis, onAxis] : llvm::enumerate(perAxis))
    if (onAxis.communicates) signature.communicating.push_back(axis);
  signature.pointsPerDevice =
      pointsPerDevice(nest, mesh, splitLoopsOf(perAxis));
  return signature;
}

OpPrice Pricing::price(DistributedOpInterface op, const LoopNest& nest,
                       FlatSymbolRefAttr meshName,
                       const MeshSignature& signature) {
  const Mesh& mesh = meshes_.of(meshName);
  OpPrice price;
  auto addBytes = [&](TypeRange types, ArrayRef<Placement> placements) {
    for (auto [type, placement] : llvm::zip(types, placements)) {
      auto tensor = llvm::cast<RankedTensorType>(type);
      price.bytes += static_cast<double>(largestLocalBytes(
          tensor.getShape(), elementBytes(tensor.getElementType()), placement,
          mesh));
    }
  };
  addBytes(op->getOperandTypes(), signature.operands);
  addBytes(op->getResultTypes(), signature.results);
  if (signature.communicates()) {
    const CommunicatingOpCost& cost = ownCost(op, meshName, signature);
    price.computing = cost.computing;
    price.communicating = cost.communicating();
    return price;
  }
  price.computing = opSeconds(
      device_, op, nest.flopsPerPoint * signature.pointsPerDevice, price.bytes);
  return price;
}

double Pricing::bytesOf(RankedTensorType type) const {
  NdSbpAttr lies = NdSbpAttr::of(type);
  return static_cast<double>(
      largestLocalBytes(type.getShape(), elementBytes(type.getElementType()),
                        lies.getComponents(), meshes_.of(lies.getMesh())));
}

LogicalResult Pricing::status() const {
  return LogicalResult::success(llvm::all_of(
      communicatingOps_,
      [](const auto& ofMesh) { return succeeded(ofMesh.second->status()); }));
}

const CommunicatingOpCost& Pricing::ownCost(Operation* op,
                                            FlatSymbolRefAttr mesh,
                                            const MeshSignature& signature) {
  auto& ops = communicatingOps_[mesh.getValue()];
  if (!ops) ops = std::make_unique<CommunicatingOps>(meshes_.of(mesh), device_);
  return ops->costOf(op, signature.operands, signature.results);
}

}  // namespace sbp
