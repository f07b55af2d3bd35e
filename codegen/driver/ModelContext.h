// The MLIR context of commands that read a model. It has all dialects, those of
// plug-ins included, and shows diagnostics with the lines that they are about.

#ifndef CODEGEN_DRIVER_MODELCONTEXT_H_
#define CODEGEN_DRIVER_MODELCONTEXT_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/driver/UnlocatedErrors.h"
#include "codegen/plugin/Plugins.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {

/// A context with the handlers that print its diagnostics.
class ModelContext {
 public:
  /// Makes a context with the dialects of the project, those of the shared
  /// libraries `plugins`, and what `extend` registers. The context uses one
  /// thread. Returns null after an error message on standard error if a plug-in
  /// cannot be loaded.
  static std::unique_ptr<ModelContext> create(
      const std::vector<std::string>& plugins,
      llvm::function_ref<void(mlir::DialectRegistry&)> extend = {});

  mlir::MLIRContext& get() { return *context_; }

  /// Returns the plug-ins that are loaded.
  const plugin::Plugins& plugins() const { return plugins_; }

  /// Returns the texts from which diagnostics take the lines that they show.
  /// For a file whose text is not among them, the line is read from the file
  /// again. Standard input and pipes cannot be read again, so their texts must
  /// be added here.
  llvm::SourceMgr& sources() { return sources_; }

 private:
  ModelContext() = default;

  mlir::DialectRegistry registry_;
  plugin::Plugins plugins_ = {"sbpc", registry_};
  std::optional<mlir::MLIRContext> context_;
  llvm::SourceMgr sources_;
  std::optional<mlir::SourceMgrDiagnosticHandler> handler_;
  std::optional<UnlocatedErrors> unlocatedErrors_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MODELCONTEXT_H_
