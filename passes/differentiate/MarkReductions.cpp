#include "passes/differentiate/MarkReductions.h"

#include "dialects/nn/Calls.h"
#include "dialects/nn/OptimizerStep.h"
#include "dialects/nn/ReducedIn.h"
#include "dialects/sbp/Sbp.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp {
namespace {

/// Follows gradients back to the casts that make them f32.
class Marker {
 public:
  Marker(ModuleOp module, Type type) : symbols_(module), type_(type) {}

  void follow(Value gradient) {
    if (!followed_.insert(gradient).second) return;
    auto result = llvm::dyn_cast<mlir::OpResult>(gradient);
    if (!result) return;
    Operation* op = result.getOwner();
    if (auto call = llvm::dyn_cast<mlir::CallOpInterface>(op))
      return followInto(call, result.getResultNumber());
    if (auto cast = llvm::dyn_cast<nn::CastOp>(op);
        cast && mlir::getElementTypeOrSelf(cast.getInput()).isBF16() &&
        mlir::getElementTypeOrSelf(cast.getResult()).isF32())
      return cast->setAttr(nn::kReducedInAttrName, mlir::TypeAttr::get(type_));
    for (mlir::OpOperand& operand : op->getOpOperands())
      if (llvm::isa<PinOp>(op) || nn::passesGradient(operand))
        follow(operand.get());
  }

 private:
  void followInto(mlir::CallOpInterface call, unsigned number) {
    mlir::func::FuncOp callee = nn::calleeOf(call, symbols_);
    follow(callee.getBody().front().getTerminator()->getOperand(number));
  }

  mlir::SymbolTable symbols_;
  Type type_;
  llvm::DenseSet<Value> followed_;
};

}  // namespace

void markReductions(mlir::func::FuncOp step, ReduceIn reduceIn) {
  mlir::Builder builder(step.getContext());
  Type type = reduceIn == ReduceIn::F32 ? Type(builder.getF32Type())
                                        : Type(builder.getBF16Type());
  Marker marker(step->getParentOfType<ModuleOp>(), type);
  for (Operation& op : step.getBody().front())
    if (mlir::OpOperand* gradient = nn::gradientOf(&op))
      marker.follow(gradient->get());
}

}  // namespace sbp
