// sbp-opt: runs passes on a program, from any form to any other.

#include "dialects/Dialects.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Pipelines.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  sbp::registerDialects(registry);
  mlir::registerTransformsPasses();
  sbp::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "sbp-opt: passes on tensor-distribution programs\n",
      registry));
}
