// Diagnostics that are kept until it is known whether they matter.
//
// That no plan is found within some limit is an error only if it is the last
// word.

#ifndef PASSES_DIAGNOSTICS_HELDDIAGNOSTICS_H_
#define PASSES_DIAGNOSTICS_HELDDIAGNOSTICS_H_

#include <vector>

#include "mlir/IR/Diagnostics.h"

namespace sbp {

class HeldDiagnostics {
 public:
  /// Whether all diagnostics are held, or errors alone while others pass.
  enum class Which { All, Errors };

  /// Holds what is said in `context` while it lives.
  HeldDiagnostics(mlir::MLIRContext* context, Which which);

  /// What was said so far.
  std::vector<mlir::Diagnostic> take() { return std::move(said_); }

 private:
  std::vector<mlir::Diagnostic> said_;
  mlir::ScopedDiagnosticHandler handler_;
};

/// Says what was held, to whoever listens now.
void emit(mlir::MLIRContext* context, std::vector<mlir::Diagnostic> held);

}  // namespace sbp

#endif  // PASSES_DIAGNOSTICS_HELDDIAGNOSTICS_H_
