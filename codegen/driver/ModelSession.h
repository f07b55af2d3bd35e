// What every command that plans a model begins with: a context, the device that
// kernels are made for, and the model.

#ifndef CODEGEN_DRIVER_MODELSESSION_H_
#define CODEGEN_DRIVER_MODELSESSION_H_

#include <memory>

#include "codegen/driver/Backend.h"
#include "codegen/driver/LoadModel.h"
#include "codegen/driver/ModelContext.h"
#include "codegen/driver/ModelOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// A context and a backend, for the models that are loaded.
class ModelSession {
 public:
  /// Makes the context with the plug-ins of `options`, and the backend. Returns
  /// null after an error message if a plug-in cannot be loaded, or if there is
  /// no such device.
  static std::unique_ptr<ModelSession> create(const ModelOptions& options);

  mlir::MLIRContext& context() { return context_->get(); }
  const plugin::Plugins& plugins() const { return context_->plugins(); }
  Backend& backend() { return *backend_; }

  /// Reads the model of `source`, as loadModel() does. A model without a
  /// machine gets that of the backend. Returns null after a diagnostic.
  mlir::OwningOpRef<mlir::ModuleOp> load(const ModelSource& source);

 private:
  ModelSession() = default;

  std::unique_ptr<ModelContext> context_;
  std::unique_ptr<Backend> backend_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_MODELSESSION_H_
