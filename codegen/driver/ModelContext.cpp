#include "codegen/driver/ModelContext.h"

#include "dialects/Dialects.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

namespace sbp {
namespace {

bool loadPlugins(const std::vector<std::string>& plugins,
                 mlir::DialectRegistry& registry) {
  for (const std::string& path : plugins) {
    llvm::Expected<mlir::DialectPlugin> plugin =
        mlir::DialectPlugin::load(path);
    if (!plugin) {
      llvm::errs() << "error: cannot load the dialect plugin " << path << ": "
                   << llvm::toString(plugin.takeError()) << "\n";
      return false;
    }
    plugin->registerDialectRegistryCallbacks(registry);
  }
  return true;
}

}  // namespace

std::unique_ptr<ModelContext> ModelContext::create(
    const std::vector<std::string>& plugins,
    llvm::function_ref<void(mlir::DialectRegistry&)> extend) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  if (extend) extend(registry);
  if (!loadPlugins(plugins, registry)) return nullptr;

  std::unique_ptr<ModelContext> model(new ModelContext);
  model->context_.emplace(registry, mlir::MLIRContext::Threading::DISABLED);
  // One error is one message: the op itself is in the user's file.
  model->context_->printOpOnDiagnostic(false);
  // Shows the line that an error is about; reads the file again to do so.
  model->handler_.emplace(model->sources_, &model->get());
  model->placelessErrors_.emplace(model->get());
  return model;
}

}  // namespace sbp
