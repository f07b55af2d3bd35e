#include "passes/plan/Placer.h"

#include "dialects/nn/Calls.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/module/BodyType.h"
#include "passes/names/Names.h"
#include "passes/plan/PinnedSignature.h"
#include "passes/plan/Placeable.h"

namespace sbp {
namespace {

using mlir::CallOpInterface;
using mlir::func::FuncOp;

RankedTensorType tensorType(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

Placement placementOf(NdSbpAttr attribute) {
  return Placement(attribute.getComponents());
}

using MeshName = ProgramMeshes::Name;

/// Places the functions of one module.
class Placer {
 public:
  Placer(ModuleOp module, const ProgramMeshes& meshes,
         PlacementStrategy& strategy)
      : module_(module),
        meshes_(meshes),
        strategy_(strategy),
        symbols_(module) {
    module.walk([&](nn::RepeatOp repeat) {
      numCarried_[nn::calleeOf(repeat, symbols_)] = nn::numCarried(repeat);
    });
  }

  void placeModule();

 private:
  void placeParameters();
  void placeEntry(FuncOp function);
  void placeFunction(FuncOp function);
  void placeOp(Operation* op);
  void placePin(PinOp pin);
  void placeCall(CallOpInterface call);
  void placeDistributed(DistributedOpInterface op);

  NdSbpAttr attributeOf(MeshName mesh, ArrayRef<Component> placement) {
    return NdSbpAttr::get(module_.getContext(), mesh, placement);
  }
  /// Returns the placement of `value` on `mesh`; Broadcast if `value` lies on
  /// another mesh.
  Placement givenOn(MeshName mesh, Value value) {
    NdSbpAttr placement = NdSbpAttr::of(value.getType());
    return placement.getMesh() == mesh
               ? placementOf(placement)
               : Placement(meshes_.mesh(mesh).axes.size());
  }
  void setPlacement(Value value, NdSbpAttr placement) {
    value.setType(withPlacement(tensorType(value), placement));
  }
  /// Returns `value`, cast to `placement` in front of `user` if necessary.
  Value castTo(Operation* user, Value value, NdSbpAttr placement);
  void castOperand(mlir::OpOperand& operand, NdSbpAttr placement) {
    operand.set(castTo(operand.getOwner(), operand.get(), placement));
  }

  /// Returns the placements on `mesh` that the uses of `result` require, no
  /// matter which signature its op gets: those of pins, and of parameters in
  /// which the result is stored.
  SmallVector<Requirement, 1> requirementsOf(MeshName mesh, Value result);

  ModuleOp module_;
  const ProgramMeshes& meshes_;
  PlacementStrategy& strategy_;
  mlir::SymbolTable symbols_;
  llvm::DenseSet<Operation*> placed_;
  /// Number of carried results, by repeated function.
  llvm::DenseMap<Operation*, int64_t> numCarried_;
};

void Placer::placeModule() {
  placeParameters();
  for (auto function : module_.getOps<FuncOp>())
    if (function.isPublic()) placeEntry(function);

  // Functions that no entry calls never run.
  for (auto function : llvm::make_early_inc_range(module_.getOps<FuncOp>()))
    if (!placed_.contains(function)) symbols_.erase(function);
}

void Placer::placeParameters() {
  for (auto parameter : module_.getOps<nn::ParameterOp>()) {
    auto pin = parameter->getAttrOfType<NdSbpAttr>(kPinAttrName);
    NdSbpAttr placement =
        pin ? pin
            : attributeOf(meshes_.of(parameter),
                          strategy_.placeParameter(parameter));
    auto type = llvm::cast<RankedTensorType>(parameter.getType());
    parameter.setTypeAttr(mlir::TypeAttr::get(withPlacement(type, placement)));
    parameter->removeAttr(kPinAttrName);
    parameter->removeAttr(kStatePinAttrName);
  }
}

void Placer::placeEntry(FuncOp function) {
  for (mlir::BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto pin = function.getArgAttrOfType<NdSbpAttr>(number, kPinAttrName);
    setPlacement(argument, pin ? pin
                               : attributeOf(meshes_.of(argument),
                                             strategy_.placeInput(argument)));
    function.removeArgAttr(number, kPinAttrName);
  }
  placeFunction(function);
}

/// Places the body of a function whose arguments are placed. In a repeated
/// function, the carried results become the last arguments of the next call. So
/// they are cast to the placements of these arguments.
void Placer::placeFunction(FuncOp function) {
  placed_.insert(function);
  function->removeAttr(kTiedAttrName);
  for (Operation& op : llvm::make_early_inc_range(function.getBody().front()))
    placeOp(&op);

  Operation* terminator = function.getBody().front().getTerminator();
  for (mlir::OpOperand& returned : terminator->getOpOperands())
    if (auto placement = strategy_.placeReturned(returned)) {
      NdSbpAttr made = NdSbpAttr::of(returned.get().getType());
      castOperand(returned, attributeOf(made.getMesh(), *placement));
    }
  for (auto [carried, returned] : llvm::zip(
           function.getArguments().take_back(numCarried_.lookup(function)),
           terminator->getOpOperands()))
    castOperand(returned, NdSbpAttr::of(carried.getType()));
  setTypeToBody(function);
}

void Placer::placeOp(Operation* op) {
  auto symbolType = [&](mlir::FlatSymbolRefAttr name) {
    return symbols_.lookup<nn::ParameterOp>(name.getAttr()).getType();
  };
  if (auto call = llvm::dyn_cast<CallOpInterface>(op)) {
    placeCall(call);
  } else if (auto pin = llvm::dyn_cast<PinOp>(op)) {
    placePin(pin);
  } else if (auto get = llvm::dyn_cast<nn::GetOp>(op)) {
    get.getResult().setType(symbolType(get.getNameAttr()));
  } else if (auto set = llvm::dyn_cast<nn::SetOp>(op)) {
    castOperand(set.getValueMutable(),
                NdSbpAttr::of(symbolType(set.getNameAttr())));
  } else if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op)) {
    placeDistributed(distributed);
  }
}

/// Replaces the pin by a pinned cast, even if nothing has to be moved, since
/// uses after the pin are served from this cast.
void Placer::placePin(PinOp pin) {
  OpBuilder builder(pin);
  Type type = withPlacement(tensorType(pin.getInput()), pin.getPlacementAttr());
  pin.replaceAllUsesWith(CastOp::create(builder, pin.getLoc(), type,
                                        pin.getInput(), /*pinned=*/true)
                             .getResult());
  pin.erase();
}

void Placer::placeCall(CallOpInterface call) {
  auto callee = nn::calleeOf(call, symbols_);
  if (!placed_.contains(callee)) {
    for (mlir::BlockArgument argument : callee.getArguments()) {
      unsigned number = argument.getArgNumber();
      auto pin = callee.getArgAttrOfType<NdSbpAttr>(number, kPinAttrName);
      MeshName mesh = meshes_.of(argument);
      // A carried argument starts as zeros, which can be made in any placement.
      Placement given = number < call->getNumOperands()
                            ? givenOn(mesh, call->getOperand(number))
                            : Placement(meshes_.mesh(mesh).axes.size());
      setPlacement(argument, pin ? pin
                                 : attributeOf(mesh, strategy_.placeArgument(
                                                         argument, given)));
      callee.removeArgAttr(number, kPinAttrName);
    }
    placeFunction(callee);
  }
  for (auto [operand, type] :
       llvm::zip(call->getOpOperands(), callee.getArgumentTypes()))
    castOperand(operand, NdSbpAttr::of(type));
  for (auto [result, type] :
       llvm::zip(call->getResults(), callee.getResultTypes()))
    result.setType(type);
}

SmallVector<Requirement, 1> Placer::requirementsOf(MeshName mesh,
                                                   Value result) {
  SmallVector<Requirement, 1> requirements;
  auto require = [&](NdSbpAttr placement, bool isPin) {
    if (placement.getMesh() == mesh)
      requirements.push_back({placementOf(placement), isPin});
  };
  for (Operation* user : result.getUsers()) {
    if (auto pin = llvm::dyn_cast<PinOp>(user))
      require(pin.getPlacementAttr(), /*isPin=*/true);
    else if (auto set = llvm::dyn_cast<nn::SetOp>(user))
      require(NdSbpAttr::of(
                  symbols_.lookup<nn::ParameterOp>(set.getName()).getType()),
              /*isPin=*/false);
  }
  return requirements;
}

void Placer::placeDistributed(DistributedOpInterface op) {
  MeshName mesh = meshes_.of(op);
  OpToPlace situation{op, {}, {}};
  for (Value operand : op->getOperands())
    situation.operandPlacements.push_back(givenOn(mesh, operand));
  for (Value result : op->getResults())
    situation.requirements.push_back(requirementsOf(mesh, result));

  MeshSignature choice =
      hasPinnedSignature(op)
          ? *pinnedSignature(op, loopNestOf(op), meshes_.mesh(mesh))
          : strategy_.choose(situation, meshes_.mesh(mesh));
  op->removeAttr(kSignatureAttrName);
  for (auto [operand, placement] :
       llvm::zip(op->getOpOperands(), choice.operands))
    castOperand(operand, attributeOf(mesh, placement));
  for (auto [result, placement] : llvm::zip(op->getResults(), choice.results))
    setPlacement(result, attributeOf(mesh, placement));
}

Value Placer::castTo(Operation* user, Value value, NdSbpAttr placement) {
  if (NdSbpAttr::of(value.getType()) == placement) return value;
  OpBuilder builder(user);
  return CastOp::create(builder, named(nameOf(value), user->getLoc()),
                        withPlacement(tensorType(value), placement), value);
}

}  // namespace

LogicalResult placeModule(ModuleOp module, const ProgramMeshes& meshes,
                          PlacementStrategy& strategy) {
  if (failed(verifyPlaceable(module, meshes))) return failure();
  Placer(module, meshes, strategy).placeModule();
  return success();
}

}  // namespace sbp
