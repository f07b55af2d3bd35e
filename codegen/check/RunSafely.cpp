#include "codegen/check/RunSafely.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp::check {
namespace {

/// Returns the number of the next handler of diagnostics that is registered.
/// MLIR numbers handlers in the order in which they are registered.
mlir::DiagnosticEngine::HandlerID nextHandler(mlir::DiagnosticEngine& engine) {
  const auto last =
      engine.registerHandler([](mlir::Diagnostic&) { return mlir::failure(); });
  engine.eraseHandler(last);
  return last + 1;
}

}  // namespace

bool runSafely(mlir::MLIRContext* context, llvm::function_ref<void()> body) {
  mlir::DiagnosticEngine& engine = context->getDiagEngine();
  const auto first = nextHandler(engine);
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely(body)) return true;
  // Objects on the stack of `body` were not destroyed. Handlers of diagnostics
  // among them would write to memory that has other uses now.
  const auto end = nextHandler(engine);
  for (auto handler = first; handler < end; ++handler)
    engine.eraseHandler(handler);
  return false;
}

}  // namespace sbp::check
