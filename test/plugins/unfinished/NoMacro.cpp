// A plug-in as MLIR's own tools take it, which does not say what it was built
// with.

#include "mlir/Tools/Plugins/DialectPlugin.h"

extern "C" mlir::DialectPluginLibraryInfo LLVM_ATTRIBUTE_WEAK
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "no_macro", "1",
          [](mlir::DialectRegistry*) {}};
}
