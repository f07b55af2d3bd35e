#include "codegen/driver/ModelContext.h"

#include <utility>

#include "dialects/Dialects.h"
#include "dialects/LoadPlugin.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp {
namespace {

bool loadPlugins(const std::vector<std::string>& plugins,
                 mlir::DialectRegistry& registry) {
  for (const std::string& path : plugins)
    if (llvm::Error error = loadDialectPlugin(path, registry)) {
      llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
      return false;
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
  // Diagnostics do not print the op: it is in the user's file.
  model->context_->printOpOnDiagnostic(false);
  // Prints the line that an error is about.
  model->handler_.emplace(model->sources_, &model->get());
  model->unlocatedErrors_.emplace(model->get());
  return model;
}

}  // namespace sbp
