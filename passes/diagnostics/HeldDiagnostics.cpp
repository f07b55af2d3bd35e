#include "passes/diagnostics/HeldDiagnostics.h"

#include <utility>

#include "mlir/IR/MLIRContext.h"

namespace sbp {

HeldDiagnostics::HeldDiagnostics(mlir::MLIRContext* context, Which which)
    : handler_(context, [this, which](mlir::Diagnostic& diagnostic) {
        bool isHeld =
            which == Which::All ||
            diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        if (isHeld) held_.push_back(std::move(diagnostic));
        return mlir::success(isHeld);
      }) {}

void emit(mlir::MLIRContext* context, std::vector<mlir::Diagnostic> held) {
  for (mlir::Diagnostic& diagnostic : held)
    context->getDiagEngine().emit(std::move(diagnostic));
}

}  // namespace sbp
