// sbp-opt: runs passes on a program, from any form to any other.

#include "dialects/Dialects.h"
#include "llvm/Support/CommandLine.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Pipelines.h"

namespace {

constexpr char kOverview[] =
    R"(sbp-opt runs passes on a program, from any of its forms to any later one

  sbp-opt model.mlir --sbp-to-placed=mesh=cluster     how every tensor is laid
  sbp-opt model.mlir --sbp-to-boxed | sbp-opt --sbp-to-local
                                                      every form is a model again
  sbp-opt model.mlir --sbp-differentiate --sbp-place --mlir-print-ir-after-all
                                                      pass by pass
  sbp-opt model.mlir                                  only reads and verifies

--sbp-to-FORM runs what leads to the form: differentiated, placed, boxed, local.
--sbp-verify-FORM says what does not belong there. From placed on the module needs
an sbp.machine; sbpc --emit adds one of -n ranks by itself.
)";

/// Hides the options that are registered so far: those of LLVM's libraries, of
/// which none concerns these passes. --help-hidden shows them.
void hideOthersOptions() {
  for (auto& option : llvm::cl::getRegisteredOptions())
    if (option.second->getOptionHiddenFlag() == llvm::cl::NotHidden &&
        option.first != "help")
      option.second->setHiddenFlag(llvm::cl::Hidden);
}

}  // namespace

int main(int argc, char** argv) {
  hideOthersOptions();
  mlir::DialectRegistry registry;
  sbp::registerDialects(registry);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  mlir::registerPrintOpStatsPass();
  mlir::registerViewOpGraphPass();
  sbp::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, kOverview, registry));
}
