#include "passes/localize/LocalProgram.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "dialects/nn/Calls.h"
#include "dialects/nn/Nn.h"
#include "dialects/nn/OptimizerStep.h"
#include "dialects/rank/Bucket.h"
#include "dialects/rank/GradientCopies.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/boxing/Cost.h"
#include "passes/module/BuildPart.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

using MeshName = mlir::FlatSymbolRefAttr;

/// Annotates ops as they are inserted. An op that names mesh axes gets the
/// group to which they belong, unless that is the program's mesh. Every op gets
/// its task, except rank.offset: any rank can compute an offset at any time.
class OpMarker : public OpBuilder::Listener {
 public:
  /// Sets the group of the ops that are inserted next; null for the program's
  /// mesh.
  void setGroup(MeshName group) { group_ = group; }
  /// Sets the task of the ops that are inserted next; null for none.
  void setTask(TaskAttr task) { task_ = task; }

  void notifyOperationInserted(Operation* op, OpBuilder::InsertPoint) override {
    if (group_ && llvm::isa_and_present<rank::RankDialect>(op->getDialect()) &&
        op->hasAttr("axes"))
      op->setAttr(rank::kGroupAttrName, group_);
    if (task_ && !llvm::isa<rank::OffsetOp>(op))
      op->setAttr(rank::kTaskAttrName, task_);
  }

 private:
  MeshName group_;
  TaskAttr task_;
};

/// The offsets of parts in one function. Each offset is computed once, at the
/// beginning of the function.
class Offsets {
 public:
  Offsets(FuncOp function, OpMarker& marker)
      : builder_(OpBuilder::atBlockBegin(&function.front(), &marker)) {}

  /// Returns the offset of the rank's part of `extent`, split over `axes` of
  /// `mesh`.
  Value of(int64_t extent, ArrayRef<int64_t> axes, MeshName name,
           const Mesh& mesh) {
    Value& offset = offsets_[{name.getValue(), extent, axes.vec()}];
    if (!offset)
      offset = rank::OffsetOp::create(
          builder_, builder_.getUnknownLoc(),
          RankedTensorType::get({}, builder_.getI64Type()),
          builder_.getI64IntegerAttr(extent),
          rank::namesOf(axes, mesh, builder_));
    return offset;
  }

 private:
  OpBuilder builder_;
  std::map<std::tuple<StringRef, int64_t, std::vector<int64_t>>, Value>
      offsets_;
};

/// The part of each loop of an op on one rank.
class OpShard : public Shard {
 public:
  OpShard(const LoopNest& nest, ArrayRef<Signature> perAxis, MeshName name,
          const Mesh& mesh, Offsets& offsets)
      : name_(name),
        mesh_(mesh),
        offsets_(offsets),
        nest_(nest),
        splitLoops_(splitLoopsOf(perAxis)) {}

  bool isSplit(int64_t loop) override { return !axesOf(loop).empty(); }

  Value beginOf(int64_t loop) override {
    return offsets_.of(nest_.loops[loop].extent, axesOf(loop), name_, mesh_);
  }

 private:
  /// Returns the axes of more than one device that split the loop, ascending.
  SmallVector<int64_t, 3> axesOf(int64_t loop) {
    SmallVector<int64_t, 3> axes;
    for (auto [axis, split] : llvm::enumerate(splitLoops_))
      if (split == loop && mesh_.axes[axis].size > 1) axes.push_back(axis);
    return axes;
  }

  MeshName name_;
  const Mesh& mesh_;
  Offsets& offsets_;
  const LoopNest& nest_;
  SmallVector<int64_t, 3> splitLoops_;
};

/// Builds the program of one class of ranks.
class ProgramBuilder {
 public:
  ProgramBuilder(rank::ProgramOp program, const GroupTransitions& transitions,
                 const StageTasks& tasks, const Transfers& transfers)
      : program_(program),
        builder_(OpBuilder::atBlockBegin(&program.getBody().front(), &marker_)),
        transitions_(transitions),
        tasks_(tasks),
        transfers_(transfers) {}

  LogicalResult add(ModuleOp module) {
    for (auto function : module.getOps<FuncOp>())
      if (function.isPublic() || isAnyHere(function))
        functions_.insert(function.getSymNameAttr());
    for (Operation& op : *module.getBody()) {
      if (auto parameter = llvm::dyn_cast<nn::ParameterOp>(op))
        addParameter(parameter);
      else if (auto function = llvm::dyn_cast<FuncOp>(op))
        if (failed(addFunction(function))) return failure();
    }
    return success();
  }

 private:
  /// Returns the task of `op` as an attribute; null if it has none.
  TaskAttr taskOf(Operation* op) const {
    std::optional<StageTask> task = tasks_.of(op);
    return task ? TaskAttr::get(op->getContext(), *task) : TaskAttr();
  }

  /// The state of the function being built.
  struct Locals {
    /// Local values by whole values; only those on this program's ranks.
    mlir::IRMapping values;
    Offsets offsets;
  };

  const Mesh& meshOf(MeshName name) const {
    return transitions_.table(name).mesh();
  }

  // ---- Tensors that lie on this program's ranks

  /// Returns the position of the program's first rank on `mesh`; -1 if the
  /// program's ranks are not on `mesh`. Local types of this rank are those of
  /// all ranks of the program, since they own equally large parts.
  int64_t placeOn(MeshName mesh) {
    auto [place, isNew] = places_.try_emplace(mesh.getValue(), -1);
    if (isNew)
      place->second = meshOf(mesh).positionOf(program_.getRanks().front());
    return place->second;
  }
  bool isHere(Type type) { return placeOn(NdSbpAttr::of(type).getMesh()) >= 0; }
  bool isHere(Value value) { return isHere(value.getType()); }

  bool isAnyHere(FuncOp function) {
    return failed(
        forEachTensorType(function, [&](Operation*, RankedTensorType type) {
          return LogicalResult(failure(isHere(type)));
        }));
  }

  RankedTensorType localType(Type type) {
    auto whole = llvm::cast<RankedTensorType>(type);
    NdSbpAttr placement = NdSbpAttr::of(whole);
    const Mesh& mesh = meshOf(placement.getMesh());
    return RankedTensorType::get(
        localShape(whole.getShape(), placement.getComponents(), mesh,
                   mesh.coordinatesOf(placeOn(placement.getMesh()))),
        whole.getElementType());
  }

  /// Returns the local types of those `types` that lie on this program's ranks.
  SmallVector<Type> localTypes(TypeRange types) {
    SmallVector<Type> local;
    for (Type type : types)
      if (isHere(type)) local.push_back(localType(type));
    return local;
  }

  SmallVector<Value> localValues(ValueRange values, const Locals& locals) {
    SmallVector<Value> local;
    for (Value value : values)
      if (isHere(value)) local.push_back(locals.values.lookup(value));
    return local;
  }

  void mapResults(Operation& op, ArrayRef<Value> results, Locals& locals) {
    size_t index = 0;
    for (Value result : op.getResults())
      if (isHere(result)) locals.values.map(result, results[index++]);
  }

  // ---- Parameters and functions

  void addParameter(nn::ParameterOp parameter) {
    if (!isHere(parameter.getType())) return;
    auto local = llvm::cast<nn::ParameterOp>(builder_.clone(*parameter));
    local.setType(localType(parameter.getType()));
    local->setAttr(rank::kWholeAttrName,
                   mlir::TypeAttr::get(parameter.getType()));
  }

  LogicalResult addFunction(FuncOp function) {
    if (!functions_.contains(function.getSymNameAttr())) return success();
    if (!function.getBody().hasOneBlock())
      return function.emitOpError()
             << "has " << function.getBody().getBlocks().size()
             << " blocks; a function that is distributed has one";
    auto type =
        builder_.getFunctionType(localTypes(function.getArgumentTypes()),
                                 localTypes(function.getResultTypes()));
    auto local =
        FuncOp::create(builder_, function.getLoc(), function.getName(), type);
    local.setVisibility(function.getVisibility());
    local->setDiscardableAttrs(function->getDiscardableAttrDictionary());
    copyAttrs(function, local);

    OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToEnd(local.addEntryBlock());
    Locals locals{{}, Offsets(local, marker_)};
    size_t index = 0;
    for (mlir::BlockArgument argument : function.getArguments())
      if (isHere(argument)) {
        local.getArgument(index).setLoc(argument.getLoc());
        locals.values.map(argument, local.getArgument(index++));
      }
    for (Operation& op : function.getBody().front()) {
      marker_.setTask(taskOf(&op));
      if (failed(addOp(op, locals))) return failure();
    }
    marker_.setTask({});
    return success();
  }

  /// Copies the attributes of those arguments and results that lie on this
  /// program's ranks.
  void copyAttrs(FuncOp function, FuncOp local) {
    bool isEntry = function.isPublic();
    unsigned here = 0;
    auto attrsOf = [&](unsigned number, Type type, mlir::DictionaryAttr all) {
      mlir::NamedAttrList attrs(all);
      if (isEntry) attrs.set(rank::kWholeAttrName, mlir::TypeAttr::get(type));
      if (isEntry && here != number)
        attrs.set(rank::kPositionAttrName, builder_.getI64IntegerAttr(number));
      return attrs.getDictionary(function.getContext());
    };
    for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
      if (isHere(type)) {
        auto attrs = attrsOf(number, type, function.getArgAttrDict(number));
        local.setArgAttrs(here++, attrs);
      }
    here = 0;
    for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
      if (isHere(type)) {
        auto attrs = attrsOf(number, type, function.getResultAttrDict(number));
        local.setResultAttrs(here++, attrs);
      }
  }

  // ---- Ops

  LogicalResult addOp(Operation& op, Locals& locals) {
    if (auto box = llvm::dyn_cast<BoxOp>(op)) {
      addBox(box, locals);
      return success();
    }
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op)) {
      if (!functions_.contains(nn::calleeOf(call).getAttr())) return success();
    } else if (!llvm::isa<ReturnOp>(op) && !isHere(meshNameOf(op))) {
      return success();
    }
    SmallVector<Value> operands = localValues(op.getOperands(), locals);
    auto local =
        buildLocal(op, operands, localTypes(op.getResultTypes()), locals);
    if (failed(local)) return failure();
    mapResults(op, *local, locals);
    return success();
  }

  /// Returns the mesh of `op`, whose tensors must all lie on one mesh; null if
  /// it has no tensors.
  static MeshName meshNameOf(Operation& op) {
    auto types =
        llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes());
    return types.begin() == types.end()
               ? MeshName()
               : NdSbpAttr::of(*types.begin()).getMesh();
  }
  bool isHere(MeshName mesh) { return !mesh || placeOn(mesh) >= 0; }

  /// Builds the code that one rank runs for `op`. Returns its results.
  FailureOr<SmallVector<Value>> buildLocal(Operation& op, ValueRange operands,
                                           TypeRange results, Locals& locals) {
    if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op))
      return buildPart(distributed, operands, results, locals);
    if (llvm::isa<CallOp, nn::RepeatOp, ReturnOp, nn::GetOp, nn::SetOp>(op))
      return SmallVector<Value>(
          cloneWithTypes(builder_, &op, operands, results)->getResults());
    return op.emitOpError()
           << "does not say how it works on parts of tensors: it does not "
              "implement DistributedOpInterface";
  }

  FailureOr<SmallVector<Value>> buildPart(DistributedOpInterface op,
                                          ValueRange operands,
                                          TypeRange results, Locals& locals) {
    MeshName name = meshNameOf(*op);
    const Mesh& mesh = meshOf(name);
    if (failed(verifyOnMesh(op, mesh))) return failure();
    markFor(name);
    LoopNest nest = loopNestOf(op);
    SmallVector<Signature, 3> perAxis = signaturesPerAxis(op, nest);
    OpShard shard(nest, perAxis, name, mesh, locals.offsets);
    if (communicates(perAxis))
      return buildCommunicatingPart(llvm::cast<CommunicatingOpInterface>(*op),
                                    nest, mesh, perAxis, builder_, operands,
                                    results, shard);
    FailureOr<Operation*> local =
        buildLocalPart(op, builder_, operands, results, shard);
    if (failed(local)) return failure();
    for (mlir::NamedAttribute attribute : op->getDiscardableAttrs())
      if (!(*local)->hasAttr(attribute.getName()))
        (*local)->setDiscardableAttr(attribute.getName(), attribute.getValue());
    if (mlir::OpOperand* gradient = nn::gradientOf(op))
      noteCopies(gradient->get().getType(), *local);
    return SmallVector<Value>((*local)->getResults());
  }

  void markFor(MeshName mesh) {
    marker_.setGroup(mesh == program_.getMeshAttr() ? MeshName() : mesh);
  }

  /// Annotates `step`, an optimiser step, with the mesh axes along which ranks
  /// have copies of its gradient. `whole` is the placed type of the gradient.
  /// Local types do not show these axes.
  void noteCopies(Type whole, Operation* step) {
    NdSbpAttr placement = NdSbpAttr::of(whole);
    const Mesh& mesh = meshOf(placement.getMesh());
    SmallVector<int64_t> axes;
    for (auto [axis, component] : llvm::enumerate(placement.getComponents()))
      if (component.isBroadcast() && mesh.axes[axis].size > 1)
        axes.push_back(axis);
    if (placement.getMesh() != program_.getMeshAttr())
      step->setAttr(rank::kGroupAttrName, placement.getMesh());
    if (!axes.empty())
      step->setAttr(rank::kGradientCopiesAttrName,
                    rank::namesOf(axes, mesh, builder_));
  }

  // ---- Boxings

  void addBox(BoxOp box, Locals& locals) {
    Value input =
        isHere(box.getInput()) ? locals.values.lookup(box.getInput()) : Value();
    if (!box.crosses()) {
      if (input) locals.values.map(box.getResult(), replay(box, input));
      return;
    }
    auto transfer = transfers_.find(box);
    if (transfer == transfers_.end()) {  // every rank already holds its part
      if (isHere(box.getResult())) locals.values.map(box.getResult(), input);
      return;
    }
    if (input) {
      Operation* maker = box.getInput().getDefiningOp();
      marker_.setTask(maker ? taskOf(maker) : TaskAttr());
      rank::SendOp::create(builder_, box.getLoc(), input, transfer->second);
      marker_.setTask(taskOf(box));
    }
    if (isHere(box.getResult()))
      locals.values.map(
          box.getResult(),
          rank::ReceiveOp::create(builder_, box.getLoc(),
                                  localType(box.getResult().getType()),
                                  transfer->second)
              .getResult());
  }

  /// Builds the steps of `box` for `value`. `box` must stay on its mesh.
  Value replay(BoxOp box, Value value) {
    auto type = llvm::cast<RankedTensorType>(box.getInput().getType());
    NdSbpAttr to = NdSbpAttr::of(box.getResult().getType());
    markFor(to.getMesh());
    const Mesh& mesh = meshOf(to.getMesh());
    for (auto [index, sized] : llvm::enumerate(transitions_.steps(box))) {
      const BoxingStep& step = sized.step;
      auto result = localType(withPlacement(
          type, NdSbpAttr::get(box.getContext(), to.getMesh(), step.result)));
      value = addStep(step, box.getLoc(), result, value, mesh);
      addToBucket(value.getDefiningOp(), step, mesh,
                  transitions_.bucketingOf(box), static_cast<int64_t>(index),
                  sized.largestBytes());
    }
    return value;
  }

  /// Marks `op`, which does step number `index` of a boxing, for a bucket if
  /// its tensor is smaller than a full bucket.
  void addToBucket(Operation* op, const BoxingStep& step, const Mesh& mesh,
                   Bucketing bucketing, int64_t index, int64_t bytes) {
    std::optional<Collective> collective = collectiveOf(step.kind());
    if (!collective) return;
    const auto full = static_cast<int64_t>(
        fullBucketBytes(*collective, step.axes, mesh, bucketing));
    if (bytes < full) rank::setBucket(op, {index, bytes, full});
  }

  Value addStep(const BoxingStep& step, Location loc, RankedTensorType result,
                Value value, const Mesh& mesh) {
    mlir::ArrayAttr axes = rank::namesOf(step.axes, mesh, builder_);
    auto reductionOf = [](Component partial) {
      return static_cast<rank::Reduction>(partial.reduction());
    };
    switch (step.kind()) {
      case StepKind::AllReduce:
        return rank::AllReduceOp::create(builder_, loc, result,
                                         reductionOf(step.from), value, axes);
      case StepKind::AllGather:
        return rank::AllGatherOp::create(builder_, loc, result, value,
                                         step.from.dim(), axes);
      case StepKind::ReduceScatter:
        return rank::ReduceScatterOp::create(builder_, loc, result,
                                             reductionOf(step.from), value,
                                             step.to.dim(), axes);
      case StepKind::AllToAll:
        return rank::AllToAllOp::create(builder_, loc, result, value,
                                        step.from.dim(), step.to.dim(), axes);
      case StepKind::Slice:
        return rank::SliceOp::create(builder_, loc, result, value,
                                     step.to.dim(), axes);
      case StepKind::Pad:
        return rank::PadOp::create(builder_, loc, result, reductionOf(step.to),
                                   value, step.from.dim(), axes);
      case StepKind::ToPartial:
        return rank::ToPartialOp::create(builder_, loc, result,
                                         reductionOf(step.to), value, axes);
    }
    llvm_unreachable("a step is one of seven kinds");
  }

  rank::ProgramOp program_;
  OpMarker marker_;
  OpBuilder builder_;
  const GroupTransitions& transitions_;
  const StageTasks& tasks_;
  const Transfers& transfers_;
  /// Names of the functions that run on these ranks.
  llvm::DenseSet<Attribute> functions_;
  llvm::StringMap<int64_t> places_;  // by mesh
};

}  // namespace

FailureOr<mlir::OwningOpRef<rank::ProgramOp>> buildLocalProgram(
    ModuleOp module, StringRef name, mlir::FlatSymbolRefAttr mesh,
    ArrayRef<int64_t> ranks, const GroupTransitions& transitions,
    const StageTasks& tasks, const Transfers& transfers) {
  OpBuilder builder(module.getContext());
  mlir::OwningOpRef<rank::ProgramOp> program = rank::ProgramOp::create(
      builder, module.getLoc(), name, mesh.getAttr(), ranks);
  program->getBody().emplaceBlock();
  if (failed(
          ProgramBuilder(*program, transitions, tasks, transfers).add(module)))
    return failure();
  return program;
}

}  // namespace sbp
