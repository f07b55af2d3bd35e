#include "test/properties/PlugIns.h"

#include "llvm/Support/Error.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

namespace sbp::properties {

void registerPlugIns(mlir::DialectRegistry& registry) {
  for (const char* path : {"plugins/halo/halo.so", "plugins/summa/summa.so"})
    llvm::cantFail(mlir::DialectPlugin::load(path))
        .registerDialectRegistryCallbacks(registry);
}

}  // namespace sbp::properties
