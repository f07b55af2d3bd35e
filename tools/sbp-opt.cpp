// sbp-opt: runs passes on a model, from any form to any other.

#include "dialects/Dialects.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "passes/differentiate/Passes.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  sbp::registerDialects(registry);
  mlir::registerTransformsPasses();
  sbp::registerDifferentiatePasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "sbp-opt: passes on tensor-distribution programs\n",
      registry));
}
