#include "codegen/kernels/ApproximateMath.h"

#include <utility>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace sbp {
namespace {

class ApproximateMathPass
    : public mlir::PassWrapper<ApproximateMathPass, mlir::OperationPass<>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApproximateMathPass)

  explicit ApproximateMathPass(bool hasFusedMultiplyAdd)
      : hasFusedMultiplyAdd_(hasFusedMultiplyAdd) {}

  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::math::MathDialect,
                    mlir::vector::VectorDialect>();
  }

  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    mlir::populateMathPolynomialApproximationPatterns(patterns);
    if (!hasFusedMultiplyAdd_)
      mlir::math::populateExpansionPatterns(patterns, {"fma"});
    if (mlir::failed(
            mlir::applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

 private:
  bool hasFusedMultiplyAdd_;
};

}  // namespace

std::unique_ptr<mlir::Pass> createApproximateMathPass(
    bool hasFusedMultiplyAdd) {
  return std::make_unique<ApproximateMathPass>(hasFusedMultiplyAdd);
}

}  // namespace sbp
