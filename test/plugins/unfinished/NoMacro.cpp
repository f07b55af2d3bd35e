// A plug-in that MLIR's own tools accept, but that does not state the versions
// with which it was built.

#include "mlir/Tools/Plugins/DialectPlugin.h"

extern "C" mlir::DialectPluginLibraryInfo LLVM_ATTRIBUTE_WEAK
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "no_macro", "1",
          [](mlir::DialectRegistry*) {}};
}
