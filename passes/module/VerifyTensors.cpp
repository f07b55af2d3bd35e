#include "passes/module/VerifyTensors.h"

#include <algorithm>

#include "dialects/sbp/Sbp.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/module/CountOps.h"
#include "passes/module/PlacedTypes.h"
#include "passes/module/VerifyAttached.h"

namespace sbp {
namespace {

using mlir::func::FuncOp;

/// Largest size of a tensor, in bytes. With this limit, the product of a rank
/// and an extent fits into 64 bits, and so does the sum of the bytes of a
/// hundred thousand tensors. No real tensor is as large.
constexpr int64_t kMaxTensorBytes = int64_t{1} << 46;

/// Largest number of dimensions. A tensor of n dimensions has about n^a
/// placements on a mesh axes. Models have up to eight dimensions.
constexpr int64_t kMaxDims = 16;

/// Returns the bytes of a tensor, but at most kMaxTensorBytes + 1.
int64_t cappedBytes(RankedTensorType type) {
  int64_t bytes = elementBytes(type.getElementType());
  for (int64_t extent : type.getShape()) {
    // Checks the other extents even if one is zero.
    if (llvm::MulOverflow(bytes, std::max<int64_t>(extent, 1), bytes) ||
        bytes > kMaxTensorBytes)
      return kMaxTensorBytes + 1;
  }
  return bytes;
}

LogicalResult verifySize(Operation* op, RankedTensorType type) {
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return op->emitOpError() << "has the type " << type
                             << "; a tensor must have a static shape and "
                                "numbers as elements";
  if (type.getRank() > kMaxDims)
    return op->emitOpError()
           << "has a tensor of " << type.getRank() << " dimensions; at most "
           << kMaxDims << " are placed";
  if (cappedBytes(type) <= kMaxTensorBytes) return success();
  return op->emitOpError() << "has the type " << type << ", which takes more "
                           << "than " << kMaxTensorBytes
                           << " bytes, the most that a tensor may take";
}

/// Fails if `type` is not a ranked tensor. The diagnostic's sentence is that of
/// `emitError`, continued by `verb`.
LogicalResult verifyTensor(
    Type type, llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
    StringRef verb) {
  if (llvm::isa<RankedTensorType>(type)) return success();
  return emitError()
         << verb << " a " << type << ", which is no "
         << (llvm::isa<mlir::UnrankedTensorType>(type) ? "ranked tensor"
                                                       : "tensor")
         << "; all values are ranked tensors, and a scalar is a tensor without "
            "dimensions, such as tensor<f32>";
}

LogicalResult verifyFunction(FuncOp function) {
  if (function.isDeclaration())
    return function.emitOpError()
           << "has no body; the functions of a program are all defined in it";
  for (mlir::BlockArgument argument : function.getArguments())
    if (failed(verifyTensor(
            argument.getType(),
            [&] {
              return mlir::emitError(argument.getLoc())
                     << "'" << function->getName() << "' op ";
            },
            "takes")))
      return failure();
  for (Type type : function.getResultTypes())
    if (failed(verifyTensor(
            type, [&] { return function.emitOpError(); }, "returns")))
      return failure();
  mlir::WalkResult result = function.walk([](Operation* op) {
    for (Type type : op->getResultTypes())
      if (failed(
              verifyTensor(type, [&] { return op->emitOpError(); }, "makes")))
        return mlir::WalkResult::interrupt();
    return mlir::WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Fails if `function` is an entry that runs too many ops.
LogicalResult verifyNumOps(FuncOp function) {
  if (!function.isPublic()) return success();
  return checkNumOps(function, mlir::SymbolTable(function->getParentOp()));
}

}  // namespace

LogicalResult verifyTensors(ModuleOp module) {
  mlir::WalkResult result = module.walk([](FuncOp function) {
    return failed(verifyFunction(function)) ? mlir::WalkResult::interrupt()
                                            : mlir::WalkResult::skip();
  });
  if (result.wasInterrupted() ||
      failed(forEachTensorType(module, verifySize)) ||
      failed(verifyAttachedInterfaces(module)))
    return failure();
  result = module.walk([](FuncOp function) {
    return failed(verifyNumOps(function)) ? mlir::WalkResult::interrupt()
                                          : mlir::WalkResult::skip();
  });
  return failure(result.wasInterrupted());
}

}  // namespace sbp
