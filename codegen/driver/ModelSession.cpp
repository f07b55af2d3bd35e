#include "codegen/driver/ModelSession.h"

#include <cstdint>
#include <utility>

namespace sbp {

std::unique_ptr<ModelSession> ModelSession::create(
    const ModelOptions& options) {
  std::unique_ptr<ModelSession> session(new ModelSession);
  session->context_ = ModelContext::create(
      options.dialectPlugins, [&](mlir::DialectRegistry& registry) {
        Backend::registerKernels(options.backend.kind, registry);
      });
  if (!session->context_) return nullptr;
  mlir::FailureOr<std::unique_ptr<Backend>> backend = Backend::create(
      options.backend, options.source.isForHost, session->context());
  if (failed(backend)) return nullptr;
  session->backend_ = *std::move(backend);
  return session;
}

mlir::OwningOpRef<mlir::ModuleOp> ModelSession::load(
    const ModelSource& source) {
  return loadModel(*context_, source,
                   [&](mlir::ModuleOp loaded, int64_t numRanks) {
                     backend_->addMachine(loaded, numRanks);
                   });
}

}  // namespace sbp
