#include "passes/plan/Placeable.h"

#include "dialects/nn/Calls.h"
#include "dialects/sbp/DistributedOp.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/plan/PinnedSignature.h"
#include "runtime/text/Counted.h"

namespace sbp {
namespace {

using mlir::CallOpInterface;
using mlir::func::FuncOp;
using mlir::func::ReturnOp;

class Verifier {
 public:
  Verifier(ModuleOp module, const ProgramMeshes& meshes)
      : module_(module), meshes_(meshes), symbols_(module) {}

  LogicalResult run();

 private:
  LogicalResult verifyPin(Operation* op, ProgramMeshes::Name mesh,
                          Attribute pin, Type type);
  LogicalResult verifyParameter(nn::ParameterOp parameter);
  LogicalResult verifyFunction(FuncOp function);
  LogicalResult verifyOp(Operation& op);
  LogicalResult verifySignatures(DistributedOpInterface op);
  LogicalResult verifyCall(CallOpInterface call);

  ModuleOp module_;
  const ProgramMeshes& meshes_;
  mlir::SymbolTable symbols_;
  llvm::DenseMap<Operation*, bool> isVerified_;  // false while being verified
};

LogicalResult Verifier::run() {
  for (auto parameter : module_.getOps<nn::ParameterOp>())
    if (failed(verifyParameter(parameter))) return failure();
  for (auto function : module_.getOps<FuncOp>())
    if (function.isPublic() && failed(verifyFunction(function)))
      return failure();
  return success();
}

/// Verifies `pin`, which may be null. `pin` is that of a tensor of `type` on
/// `mesh`.
LogicalResult Verifier::verifyPin(Operation* op, ProgramMeshes::Name mesh,
                                  Attribute pin, Type type) {
  if (!pin) return success();
  auto placement = llvm::dyn_cast<NdSbpAttr>(pin);
  if (!placement)
    return op->emitOpError()
           << "is pinned to " << pin << ", which is no #sbp.nd placement";
  if (placement.getMesh() != mesh)
    return op->emitOpError()
           << "is pinned on " << placement.getMesh() << ", but "
           << (mesh == meshes_.defaultMesh() ? "the program" : "its stage")
           << " is placed on " << mesh;
  size_t numAxes = meshes_.mesh(mesh).axes.size();
  if (placement.getComponents().size() != numAxes)
    return op->emitOpError()
           << "is pinned to " << placement.getComponents().size()
           << " components, but " << mesh << " has " << numAxes << " axes";
  auto tensor = llvm::cast<RankedTensorType>(type);
  return placement.verifyEncoding(tensor.getShape(), tensor.getElementType(),
                                  [&] { return op->emitOpError(); });
}

LogicalResult Verifier::verifyParameter(nn::ParameterOp parameter) {
  for (StringRef name : {kPinAttrName, kStatePinAttrName}) {
    Attribute pin = parameter->getAttr(name);
    // The state may lie on another mesh than the parameter.
    auto placement = llvm::dyn_cast_or_null<NdSbpAttr>(pin);
    ProgramMeshes::Name mesh = placement && meshes_.has(placement.getMesh())
                                   ? placement.getMesh()
                                   : meshes_.of(parameter);
    if (failed(verifyPin(parameter, mesh, pin, parameter.getType())))
      return failure();
    if (pin && llvm::cast<NdSbpAttr>(pin).hasPartial())
      return parameter.emitOpError()
             << "is pinned to " << pin
             << "; a parameter is kept Split or Broadcast";
  }
  return success();
}

LogicalResult Verifier::verifyFunction(FuncOp function) {
  isVerified_[function] = false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute pin = function.getArgAttr(i, kPinAttrName);
    // A function without a body is refused below.
    if (!function.isExternal() &&
        failed(verifyPin(function, meshes_.of(function.getArgument(i)), pin,
                         function.getArgumentTypes()[i])))
      return failure();
    if (pin && function.isPublic() && llvm::cast<NdSbpAttr>(pin).hasPartial())
      return function.emitOpError()
             << "has argument " << i << " pinned to " << pin
             << "; an input is given Split or Broadcast";
  }
  if (!function.getBody().hasOneBlock())
    return function.emitOpError()
           << "has control flow or no body; a layer is one block of ops";
  for (Operation& op : function.getBody().front())
    if (failed(verifyOp(op))) return failure();
  isVerified_[function] = true;
  return success();
}

LogicalResult Verifier::verifyOp(Operation& op) {
  if (auto call = llvm::dyn_cast<CallOpInterface>(op)) return verifyCall(call);
  if (auto pin = llvm::dyn_cast<PinOp>(op))
    return verifyPin(pin, meshes_.of(pin), pin.getPlacementAttr(),
                     pin.getInput().getType());
  if (auto distributed = llvm::dyn_cast<DistributedOpInterface>(op))
    return verifySignatures(distributed);
  if (llvm::isa<ReturnOp, nn::GetOp, nn::SetOp>(op)) return success();
  return op.emitOpError() << "declares no loops (DistributedOpInterface), so "
                             "it has no placement";
}

/// Verifies the pinned signatures of `op`, if it has any, on its mesh.
LogicalResult Verifier::verifySignatures(DistributedOpInterface op) {
  if (!hasPinnedSignature(op)) return success();
  const LoopNest nest = loopNestOf(op);
  const SmallVector<Signature, 3> perAxis = pinnedSignatures(op, nest);
  const ProgramMeshes::Name name = meshes_.of(op);
  const Mesh& mesh = meshes_.mesh(name);
  if (perAxis.size() != mesh.axes.size())
    return op.emitOpError()
           << "is pinned to "
           << text::counted(static_cast<int64_t>(perAxis.size()), "signature")
           << ", but " << name << " has " << mesh.axes.size()
           << (mesh.axes.size() == 1 ? " axis" : " axes")
           << "; a pin has one per axis";
  return verifyOnMesh(op, nest, mesh, perAxis);
}

LogicalResult Verifier::verifyCall(CallOpInterface call) {
  auto callee = nn::calleeOf(call, symbols_);
  if (!callee) return call->emitOpError() << "calls no function of the module";
  auto state = isVerified_.find(callee);
  if (state == isVerified_.end()) return verifyFunction(callee);
  if (state->second) return success();
  return call->emitOpError()
         << "calls " << nn::calleeOf(call)
         << " while it is being placed; layers must not be recursive";
}

}  // namespace

LogicalResult verifyPlaceable(ModuleOp module, const ProgramMeshes& meshes) {
  return Verifier(module, meshes).run();
}

bool hasPin(ModuleOp module) {
  mlir::WalkResult walk = module.walk([](Operation* op) {
    bool isPinned = llvm::isa<PinOp>(op) || op->hasAttr(kPinAttrName) ||
                    op->hasAttr(kStatePinAttrName) || hasPinnedSignature(op);
    if (auto function = llvm::dyn_cast<FuncOp>(op))
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (function.getArgAttr(i, kPinAttrName)) isPinned = true;
    return isPinned ? mlir::WalkResult::interrupt()
                    : mlir::WalkResult::advance();
  });
  return walk.wasInterrupted();
}

}  // namespace sbp
