#include "codegen/driver/ModelContext.h"

#include "codegen/plugin/PluginOptions.h"
#include "dialects/Dialects.h"
#include "dialects/text/People.h"

namespace sbp {

std::unique_ptr<ModelContext> ModelContext::create(
    const std::vector<std::string>& plugins,
    llvm::function_ref<void(mlir::DialectRegistry&)> extend) {
  std::unique_ptr<ModelContext> model(new ModelContext);
  registerDialects(model->registry_);
  if (extend) extend(model->registry_);
  if (!plugin::loadPlugins(plugins, model->plugins_)) return nullptr;

  model->context_.emplace(model->registry_,
                          mlir::MLIRContext::Threading::DISABLED);
  // Diagnostics do not print the op: it is in the user's file.
  model->context_->printOpOnDiagnostic(false);
  // Prints the line that an error is about.
  model->handler_.emplace(model->sources_, &model->get(), peopleErr());
  model->unlocatedErrors_.emplace(model->get());
  return model;
}

}  // namespace sbp
