// Tensors and functions of sizes that all passes can reckon with.

#include <algorithm>

#include "dialects/sbp/Sbp.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/CountOps.h"
#include "passes/Forms.h"
#include "passes/PlacedTypes.h"

namespace sbp {

#define GEN_PASS_DEF_VERIFYSIZES
#include "passes/Forms.h.inc"

namespace {

/// The number of a rank times the extent of a dimension is a number of 64 bits,
/// and the bytes of a hundred thousand tensors are; no tensor has been as
/// large.
constexpr int64_t kMaxTensorBytes = int64_t{1} << 46;

/// The ways to lay a tensor grow with its dimensions, to the power of the axes
/// of the mesh. Models have up to eight.
constexpr int64_t kMaxDims = 16;

/// Bytes of a tensor, or what of it is more than the most.
int64_t bytesUpToMost(RankedTensorType type) {
  int64_t bytes = elementBytes(type.getElementType());
  for (int64_t extent : type.getShape()) {
    // Beside an extent of zero others may still be too large.
    if (llvm::MulOverflow(bytes, std::max<int64_t>(extent, 1), bytes) ||
        bytes > kMaxTensorBytes)
      return kMaxTensorBytes + 1;
  }
  return bytes;
}

LogicalResult verifySize(Operation* op, RankedTensorType type) {
  if (!type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return op->emitOpError() << "has the type " << type
                             << "; a tensor here has extents that are known, "
                                "and numbers for elements";
  if (type.getRank() > kMaxDims)
    return op->emitOpError()
           << "has a tensor of " << type.getRank() << " dimensions; at most "
           << kMaxDims << " are placed";
  if (bytesUpToMost(type) <= kMaxTensorBytes) return success();
  return op->emitOpError() << "has the type " << type << ", which takes more "
                           << "than " << kMaxTensorBytes
                           << " bytes, the most that a tensor may take";
}

/// Fails at an entry that runs too many ops.
LogicalResult verifyNumOps(ModuleOp module) {
  auto result = module.walk([&](mlir::func::FuncOp function) {
    if (!function.isPublic()) return mlir::WalkResult::skip();
    mlir::SymbolTable symbols(function->getParentOp());
    return failed(checkNumOps(function, symbols))
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::skip();
  });
  return failure(result.wasInterrupted());
}

struct VerifySizes : impl::VerifySizesBase<VerifySizes> {
  void runOnOperation() override {
    if (failed(forEachTensorType(getOperation(), verifySize)) ||
        failed(verifyNumOps(getOperation())))
      signalPassFailure();
  }
};

}  // namespace
}  // namespace sbp
