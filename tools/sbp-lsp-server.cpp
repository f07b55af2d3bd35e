// sbp-lsp-server: MLIR's language server, which knows our dialects. Point your
// editor's MLIR support at it for diagnostics, definitions and hover texts.

#include "dialects/Dialects.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  sbp::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
