#include "passes/localize/LocalProgram.h"

#include <map>
#include <vector>

#include "dialects/nn/Nn.h"
#include "dialects/nn/OptimizerStep.h"
#include "dialects/rank/GradientCopies.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace sbp {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

/// Where parts begin, asked for once in a function, at its beginning.
class Offsets {
 public:
  Offsets(FuncOp function, const Mesh& mesh)
      : builder_(OpBuilder::atBlockBegin(&function.front())), mesh_(mesh) {}

  /// The beginning of the rank's part of `extent`, split over `axes`.
  Value of(int64_t extent, ArrayRef<int64_t> axes) {
    Value& offset = offsets_[{extent, axes.vec()}];
    if (!offset)
      offset = rank::OffsetOp::create(
          builder_, builder_.getUnknownLoc(),
          RankedTensorType::get({}, builder_.getI64Type()),
          builder_.getI64IntegerAttr(extent),
          rank::namesOf(axes, mesh_, builder_));
    return offset;
  }

 private:
  OpBuilder builder_;
  const Mesh& mesh_;
  std::map<std::pair<int64_t, std::vector<int64_t>>, Value> offsets_;
};

/// The parts of an op's loops, as its local form may ask for them.
class OpShard : public Shard {
 public:
  OpShard(const LoopNest& nest, ArrayRef<Signature> perAxis, const Mesh& mesh,
          Offsets& offsets)
      : mesh_(mesh),
        offsets_(offsets),
        nest_(nest),
        splitLoops_(splitLoopsOf(perAxis)) {}

  bool isSplit(int64_t loop) override { return !axesOf(loop).empty(); }

  Value beginOf(int64_t loop) override {
    return offsets_.of(nest_.loops[loop].extent, axesOf(loop));
  }

 private:
  /// The axes of more than one device that split the loop, ascending.
  SmallVector<int64_t, 3> axesOf(int64_t loop) {
    SmallVector<int64_t, 3> axes;
    for (auto [axis, split] : llvm::enumerate(splitLoops_))
      if (split == loop && mesh_.axes[axis].size > 1) axes.push_back(axis);
    return axes;
  }

  const Mesh& mesh_;
  Offsets& offsets_;
  const LoopNest& nest_;
  SmallVector<int64_t, 3> splitLoops_;
};

/// Builds one program.
class ProgramBuilder {
 public:
  ProgramBuilder(rank::ProgramOp program, TransitionTable& transitions)
      : builder_(OpBuilder::atBlockBegin(&program.getBody().front())),
        transitions_(transitions),
        // All ranks of the program own equally large parts: any one will do.
        coordinates_(mesh().coordinatesOf(program.getRanks().front())) {}

  LogicalResult add(ModuleOp module) {
    for (Operation& op : *module.getBody()) {
      if (auto parameter = llvm::dyn_cast<nn::ParameterOp>(op))
        addParameter(parameter);
      else if (auto function = llvm::dyn_cast<FuncOp>(op))
        if (failed(addFunction(function))) return failure();
    }
    return success();
  }

 private:
  /// What the function being built has so far.
  struct Locals {
    mlir::IRMapping values;  // from whole to local
    Offsets offsets;
  };

  const Mesh& mesh() { return transitions_.mesh(); }

  RankedTensorType localType(Type type) {
    auto whole = llvm::cast<RankedTensorType>(type);
    return RankedTensorType::get(
        localShape(whole.getShape(), NdSbpAttr::of(whole).getComponents(),
                   mesh(), coordinates_),
        whole.getElementType());
  }

  SmallVector<Type> localTypes(TypeRange types) {
    return llvm::map_to_vector(
        types, [&](Type type) -> Type { return localType(type); });
  }

  void addParameter(nn::ParameterOp parameter) {
    auto local = llvm::cast<nn::ParameterOp>(builder_.clone(*parameter));
    local.setType(localType(parameter.getType()));
    local->setAttr(rank::kWholeAttrName,
                   mlir::TypeAttr::get(parameter.getType()));
  }

  LogicalResult addFunction(FuncOp function) {
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
    copyArgumentAttrs(function, local);

    OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToEnd(local.addEntryBlock());
    Locals locals{{}, Offsets(local, mesh())};
    locals.values.map(function.getArguments(), local.getArguments());
    for (Operation& op : function.getBody().front())
      if (failed(addOp(op, locals))) return failure();
    return success();
  }

  void copyArgumentAttrs(FuncOp function, FuncOp local) {
    bool isEntry = function.isPublic();
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      local.setArgAttrs(i, function.getArgAttrDict(i));
      if (isEntry)
        local.setArgAttr(i, rank::kWholeAttrName,
                         mlir::TypeAttr::get(function.getArgumentTypes()[i]));
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      local.setResultAttrs(i, function.getResultAttrDict(i));
      if (isEntry)
        local.setResultAttr(i, rank::kWholeAttrName,
                            mlir::TypeAttr::get(function.getResultTypes()[i]));
    }
  }

  LogicalResult addOp(Operation& op, Locals& locals) {
    SmallVector<Value> operands = llvm::map_to_vector(
        op.getOperands(),
        [&](Value value) { return locals.values.lookup(value); });
    if (auto box = llvm::dyn_cast<BoxOp>(op)) {
      locals.values.map(box.getResult(), addBox(box, operands.front()));
      return success();
    }
    auto local =
        buildLocal(op, operands, localTypes(op.getResultTypes()), locals);
    if (failed(local)) return failure();
    locals.values.map(op.getResults(), *local);
    return success();
  }

  /// The results of what one rank runs for `op`.
  FailureOr<SmallVector<Value>> buildLocal(Operation& op, ValueRange operands,
                                           TypeRange results, Locals& locals) {
    if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op))
      return buildPart(distributed, operands, results, locals);
    if (llvm::isa<CallOp, nn::RepeatOp, ReturnOp, nn::GetOp, nn::SetOp>(op))
      return SmallVector<Value>(
          cloneAtTypes(builder_, &op, operands, results)->getResults());
    return op.emitOpError()
           << "does not say how it works on parts of tensors: it does not "
              "implement DistributedOpInterface";
  }

  FailureOr<SmallVector<Value>> buildPart(DistributedOpInterface op,
                                          ValueRange operands,
                                          TypeRange results, Locals& locals) {
    if (failed(verifyOnMesh(op, mesh()))) return failure();
    LoopNest nest = loopNestOf(op);
    SmallVector<Signature, 3> perAxis = signaturesOn(op, nest);
    OpShard shard(nest, perAxis, mesh(), locals.offsets);
    if (communicates(perAxis))
      return llvm::cast<CommunicatingOpInterface>(*op).buildCommunicating(
          nest, mesh(), pointersTo(perAxis), builder_, operands, results,
          shard);
    Operation* local = op.buildLocal(builder_, operands, results, shard);
    if (mlir::OpOperand* gradient = nn::gradientOf(op))
      noteCopies(gradient->get().getType(), local);
    return SmallVector<Value>(local->getResults());
  }

  /// Says of an optimiser's step who else has the gradient that it takes, which
  /// is of type `whole`: local types do not tell.
  void noteCopies(Type whole, Operation* step) {
    SmallVector<int64_t> axes;
    for (auto [axis, component] :
         llvm::enumerate(NdSbpAttr::of(whole).getComponents()))
      if (component.isBroadcast() && mesh().axes[axis].size > 1)
        axes.push_back(axis);
    if (!axes.empty())
      step->setAttr(rank::kGradientCopiesAttrName,
                    rank::namesOf(axes, mesh(), builder_));
  }

  /// Replays the path of a boxing.
  Value addBox(BoxOp box, Value value) {
    auto type = llvm::cast<RankedTensorType>(box.getInput().getType());
    NdSbpAttr from = NdSbpAttr::of(type);
    NdSbpAttr to = NdSbpAttr::of(box.getResult().getType());
    Transition transition =
        transitions_.path(from.getComponents(), to.getComponents(),
                          type.getShape(), elementBytes(type.getElementType()));
    for (const Step& step : transition.steps) {
      auto result = localType(withPlacement(
          type, NdSbpAttr::get(box.getContext(), to.getMesh(), step.result)));
      value = addStep(step, box.getLoc(), result, value);
    }
    return value;
  }

  Value addStep(const Step& step, Location loc, RankedTensorType result,
                Value value) {
    mlir::ArrayAttr axes = rank::namesOf(step.axes, mesh(), builder_);
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

  OpBuilder builder_;
  TransitionTable& transitions_;
  SmallVector<int64_t, 3> coordinates_;
};

}  // namespace

FailureOr<mlir::OwningOpRef<rank::ProgramOp>> buildLocalProgram(
    ModuleOp module, StringRef name, mlir::FlatSymbolRefAttr mesh,
    ArrayRef<int64_t> ranks, TransitionTable& transitions) {
  OpBuilder builder(module.getContext());
  mlir::OwningOpRef<rank::ProgramOp> program = rank::ProgramOp::create(
      builder, module.getLoc(), name, mesh.getAttr(), ranks);
  program->getBody().emplaceBlock();
  if (failed(ProgramBuilder(*program, transitions).add(module)))
    return failure();
  return program;
}

}  // namespace sbp
