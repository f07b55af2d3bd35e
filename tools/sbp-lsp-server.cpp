// sbp-lsp-server: MLIR's language server with the project's dialects and the
// dialects of plug-ins (--load-dialect-plugin=FILE). An editor's MLIR support
// runs it, for diagnostics, definitions and hover texts.

#include <utility>

#include "codegen/plugin/PluginOptions.h"
#include "codegen/plugin/Plugins.h"
#include "dialects/Dialects.h"
#include "dialects/text/People.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "runtime/file/ProcessSetup.h"
#include "tools/crash/CrashReport.h"
#include "tools/lsp/GuardedInput.h"
#include "tools/options/HideLibraryOptions.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  sbp::file::setUpProcess();
  sbp::CrashReport report(argc, argv, "sbp-lsp-server",
                          "the text that was open\n"
                          "in the editor.");
  sbp::hideLibraryOptions();
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream& stream) {
    stream << sbp::versionOf("sbp-lsp-server") << "\n";
  });
  mlir::DialectRegistry registry;
  sbp::registerDialects(registry);
  sbp::plugin::Plugins plugins("sbp-lsp-server", registry);
  sbp::plugin::readPluginOption(plugins);
  // In MLIR's own test modes, messages have no headers.
  const bool hasHeaders =
      llvm::none_of(llvm::ArrayRef(argv, argc), [](llvm::StringRef word) {
        return word.ends_with("-lit-test") || word.contains("-input-style");
      });
  if (hasHeaders)
    if (llvm::Error error = sbp::guardInput()) {
      sbp::peopleErr() << "error: " << llvm::toString(std::move(error)) << "\n";
      return 1;
    }
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
