// What every command that reads a model needs: the dialects, those of plug-ins
// too, and errors shown where they are.

#ifndef CODEGEN_DRIVER_MODELCONTEXT_H_
#define CODEGEN_DRIVER_MODELCONTEXT_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/driver/PlacelessErrors.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {

class ModelContext {
 public:
  /// With the dialects of the project, of the shared libraries `plugins`, and
  /// what `extend` registers. Null after an error message, if a plug-in cannot
  /// be loaded.
  static std::unique_ptr<ModelContext> create(
      const std::vector<std::string>& plugins,
      llvm::function_ref<void(mlir::DialectRegistry&)> extend = {});

  mlir::MLIRContext& get() { return *context_; }

  /// The texts whose lines errors show. Of others the files are read again, but
  /// for standard input and pipes.
  llvm::SourceMgr& sources() { return sources_; }

 private:
  ModelContext() = default;

  std::optional<mlir::MLIRContext> context_;
  llvm::SourceMgr sources_;
  std::optional<mlir::SourceMgrDiagnosticHandler> handler_;
  std::optional<PlacelessErrors> placelessErrors_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MODELCONTEXT_H_
