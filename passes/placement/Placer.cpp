#include "passes/placement/Placer.h"

#include "dialects/nn/Nn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

RankedTensorType tensorType(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

Placement placementOf(NdSbpAttr attribute) {
  return Placement(attribute.getComponents());
}

/// Places the functions of one module on one mesh.
class Placer {
 public:
  Placer(ModuleOp module, mlir::FlatSymbolRefAttr meshName, const Mesh& mesh,
         PlacementStrategy& strategy)
      : module_(module),
        meshName_(meshName),
        mesh_(mesh),
        strategy_(strategy),
        symbols_(module) {}

  LogicalResult placeModule();

 private:
  LogicalResult placeParameters();
  LogicalResult placeEntry(FuncOp function);
  LogicalResult placeFunction(FuncOp function);
  LogicalResult placeOp(Operation* op);
  LogicalResult placeCall(CallOp call);
  LogicalResult placeDistributed(DistributedOpInterface op);

  /// The placement that the attribute `name` in `attributes` pins, or null when
  /// it pins none; fails when it does not fit a tensor of type `type`.
  FailureOr<NdSbpAttr> pinOf(Operation* op, Attribute pin,
                             RankedTensorType type);

  NdSbpAttr attributeOf(ArrayRef<Component> placement) {
    return NdSbpAttr::get(module_.getContext(), meshName_, placement);
  }
  void setPlacement(Value value, NdSbpAttr placement) {
    value.setType(withPlacement(tensorType(value), placement));
  }
  /// `value` as a use of it before `user` wants it.
  Value castTo(Operation* user, Value value, NdSbpAttr placement);
  void castOperand(mlir::OpOperand& operand, NdSbpAttr placement) {
    operand.set(castTo(operand.getOwner(), operand.get(), placement));
  }

  /// The placements that the uses of `result` ask for, whatever its op does:
  /// those of pins and of parameters that it is stored in.
  SmallVector<Requirement, 1> requirementsOf(Value result);

  ModuleOp module_;
  mlir::FlatSymbolRefAttr meshName_;
  const Mesh& mesh_;
  PlacementStrategy& strategy_;
  mlir::SymbolTable symbols_;
  llvm::DenseMap<Operation*, bool> isPlaced_;  // false while being placed
};

LogicalResult Placer::placeModule() {
  if (failed(placeParameters())) return failure();
  for (auto function : module_.getOps<FuncOp>())
    if (function.isPublic() && failed(placeEntry(function))) return failure();

  // What no entry calls cannot run.
  for (auto function : llvm::make_early_inc_range(module_.getOps<FuncOp>()))
    if (!isPlaced_.contains(function)) symbols_.erase(function);
  return success();
}

FailureOr<NdSbpAttr> Placer::pinOf(Operation* op, Attribute pin,
                                   RankedTensorType type) {
  if (!pin) return NdSbpAttr();
  auto placement = llvm::dyn_cast<NdSbpAttr>(pin);
  if (!placement)
    return op->emitOpError()
           << "is pinned to " << pin << ", which is no #sbp.nd placement";
  if (placement.getMesh() != meshName_)
    return op->emitOpError() << "is pinned on " << placement.getMesh()
                             << ", but the program is placed on " << meshName_;
  if (placement.getComponents().size() != mesh_.axes.size())
    return op->emitOpError()
           << "is pinned to " << placement.getComponents().size()
           << " components, but " << meshName_ << " has " << mesh_.axes.size()
           << " axes";
  if (failed(placement.verifyEncoding(type.getShape(), type.getElementType(),
                                      [&] { return op->emitOpError(); })))
    return failure();
  return placement;
}

LogicalResult Placer::placeParameters() {
  for (auto parameter : module_.getOps<nn::ParameterOp>()) {
    auto type = llvm::cast<RankedTensorType>(parameter.getType());
    FailureOr<NdSbpAttr> pin =
        pinOf(parameter, parameter->getAttr(kPinAttrName), type);
    if (failed(pin)) return failure();
    NdSbpAttr placement =
        *pin ? *pin : attributeOf(strategy_.placeParameter(parameter));
    if (placement.hasPartial())
      return parameter.emitOpError()
             << "is pinned to " << placement
             << "; a parameter is kept Split or Broadcast";
    parameter.setTypeAttr(mlir::TypeAttr::get(withPlacement(type, placement)));
    parameter->removeAttr(kPinAttrName);
    parameter->removeAttr(kStatePinAttrName);
  }
  return success();
}

LogicalResult Placer::placeEntry(FuncOp function) {
  for (mlir::BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = tensorType(argument);
    FailureOr<NdSbpAttr> pin =
        pinOf(function, function.getArgAttr(number, kPinAttrName), type);
    if (failed(pin)) return failure();
    NdSbpAttr placement =
        *pin ? *pin : attributeOf(strategy_.placeInput(argument));
    if (placement.hasPartial())
      return function.emitOpError()
             << "has argument " << number << " pinned to " << placement
             << "; an input is given Split or Broadcast";
    setPlacement(argument, placement);
    function.removeArgAttr(number, kPinAttrName);
  }
  return placeFunction(function);
}

/// Places the body of a function whose arguments are placed.
LogicalResult Placer::placeFunction(FuncOp function) {
  isPlaced_[function] = false;
  if (!function.getBody().hasOneBlock())
    return function.emitOpError()
           << "has control flow or no body; a layer is one block of ops";
  for (Operation& op : llvm::make_early_inc_range(function.getBody().front()))
    if (failed(placeOp(&op))) return failure();

  Operation* terminator = function.getBody().front().getTerminator();
  for (mlir::OpOperand& returned : terminator->getOpOperands())
    if (auto placement = strategy_.placeReturned(returned))
      castOperand(returned, attributeOf(*placement));
  function.setType(mlir::FunctionType::get(
      function.getContext(), function.getBody().front().getArgumentTypes(),
      terminator->getOperandTypes()));
  isPlaced_[function] = true;
  return success();
}

LogicalResult Placer::placeOp(Operation* op) {
  if (auto call = llvm::dyn_cast<CallOp>(op)) return placeCall(call);
  if (llvm::isa<ReturnOp>(op)) return success();
  if (auto pin = llvm::dyn_cast<PinOp>(op)) {
    FailureOr<NdSbpAttr> placement =
        pinOf(pin, pin.getPlacementAttr(), tensorType(pin.getInput()));
    if (failed(placement)) return failure();
    pin.replaceAllUsesWith(castTo(pin, pin.getInput(), *placement));
    pin.erase();
    return success();
  }
  auto symbolType = [&](mlir::FlatSymbolRefAttr name) {
    return symbols_.lookup<nn::ParameterOp>(name.getAttr()).getType();
  };
  if (auto get = llvm::dyn_cast<nn::GetOp>(op)) {
    get.getResult().setType(symbolType(get.getNameAttr()));
    return success();
  }
  if (auto set = llvm::dyn_cast<nn::SetOp>(op)) {
    castOperand(set.getValueMutable(),
                NdSbpAttr::of(symbolType(set.getNameAttr())));
    return success();
  }
  if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op))
    return placeDistributed(distributed);
  return op->emitOpError() << "declares no loops (DistributedOpInterface), so "
                              "it has no placement";
}

LogicalResult Placer::placeCall(CallOp call) {
  auto callee = symbols_.lookup<FuncOp>(call.getCalleeAttr().getAttr());
  if (!callee) return call.emitOpError() << "calls no function of the module";
  auto state = isPlaced_.find(callee);
  if (state != isPlaced_.end() && !state->second)
    return call.emitOpError()
           << "calls " << call.getCalleeAttr()
           << " while it is being placed; layers must not be recursive";

  if (state == isPlaced_.end()) {
    for (auto [argument, operand] :
         llvm::zip(callee.getArguments(), call.getOperands())) {
      unsigned number = argument.getArgNumber();
      FailureOr<NdSbpAttr> pin =
          pinOf(callee, callee.getArgAttr(number, kPinAttrName),
                tensorType(argument));
      if (failed(pin)) return failure();
      Placement given = placementOf(NdSbpAttr::of(operand.getType()));
      setPlacement(argument, *pin ? *pin
                                  : attributeOf(strategy_.placeArgument(
                                        argument, given)));
      callee.removeArgAttr(number, kPinAttrName);
    }
    if (failed(placeFunction(callee))) return failure();
  }
  for (auto [operand, type] :
       llvm::zip(call->getOpOperands(), callee.getArgumentTypes()))
    castOperand(operand, NdSbpAttr::of(type));
  for (auto [result, type] :
       llvm::zip(call.getResults(), callee.getResultTypes()))
    result.setType(type);
  return success();
}

SmallVector<Requirement, 1> Placer::requirementsOf(Value result) {
  SmallVector<Requirement, 1> requirements;
  for (Operation* user : result.getUsers()) {
    if (auto pin = llvm::dyn_cast<PinOp>(user))
      requirements.push_back(
          {placementOf(pin.getPlacementAttr()), /*isPin=*/true});
    else if (auto set = llvm::dyn_cast<nn::SetOp>(user))
      requirements.push_back(
          {placementOf(NdSbpAttr::of(
               symbols_.lookup<nn::ParameterOp>(set.getName()).getType())),
           /*isPin=*/false});
  }
  return requirements;
}

LogicalResult Placer::placeDistributed(DistributedOpInterface op) {
  OpToPlace situation{op, {}, {}};
  for (Value operand : op->getOperands())
    situation.given.push_back(placementOf(NdSbpAttr::of(operand.getType())));
  for (Value result : op->getResults())
    situation.wanted.push_back(requirementsOf(result));

  MeshSignature choice = strategy_.choose(situation, mesh_);
  for (auto [operand, placement] :
       llvm::zip(op->getOpOperands(), choice.operands))
    castOperand(operand, attributeOf(placement));
  for (auto [result, placement] : llvm::zip(op->getResults(), choice.results))
    setPlacement(result, attributeOf(placement));
  return success();
}

Value Placer::castTo(Operation* user, Value value, NdSbpAttr placement) {
  if (NdSbpAttr::of(value.getType()) == placement) return value;
  OpBuilder builder(user);
  return CastOp::create(builder, user->getLoc(),
                        withPlacement(tensorType(value), placement), value);
}

}  // namespace

LogicalResult placeModule(ModuleOp module, mlir::FlatSymbolRefAttr meshName,
                          const Mesh& mesh, PlacementStrategy& strategy) {
  return Placer(module, meshName, mesh, strategy).placeModule();
}

}  // namespace sbp
