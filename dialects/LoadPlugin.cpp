#include "dialects/LoadPlugin.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

namespace sbp {

llvm::Error loadDialectPlugin(const std::string& path,
                              mlir::DialectRegistry& registry) {
  // The dynamic loader looks for a name without a slash in the system's folders
  // of libraries only.
  bool isHere =
      !llvm::sys::path::has_parent_path(path) && llvm::sys::fs::exists(path);
  llvm::Expected<mlir::DialectPlugin> plugin =
      mlir::DialectPlugin::load(isHere ? "./" + path : path);
  if (!plugin)
    return llvm::createStringError("cannot load the dialect plugin " + path +
                                   ": " + llvm::toString(plugin.takeError()));
  plugin->registerDialectRegistryCallbacks(registry);
  return llvm::Error::success();
}

}  // namespace sbp
