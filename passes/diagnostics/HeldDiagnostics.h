// Diagnostics that are held back until it is known whether they matter.
//
// For example, finding no plan within a limit is an error only if no later
// attempt succeeds.

#ifndef PASSES_DIAGNOSTICS_HELDDIAGNOSTICS_H_
#define PASSES_DIAGNOSTICS_HELDDIAGNOSTICS_H_

#include <vector>

#include "mlir/IR/Diagnostics.h"

namespace sbp {

/// Holds back diagnostics during its lifetime; drops those that are not taken.
class HeldDiagnostics {
 public:
  /// The diagnostics to hold back: all, or only errors. Others go to the
  /// handler that was current before.
  enum class Which { All, Errors };

  /// Holds back the diagnostics emitted in `context` during its lifetime.
  HeldDiagnostics(mlir::MLIRContext* context, Which which);

  /// Returns the diagnostics held so far, and forgets them.
  std::vector<mlir::Diagnostic> take() { return std::move(held_); }

 private:
  std::vector<mlir::Diagnostic> held_;
  mlir::ScopedDiagnosticHandler handler_;
};

/// Emits the held diagnostics to the current handler of `context`.
void emit(mlir::MLIRContext* context, std::vector<mlir::Diagnostic> held);

}  // namespace sbp

#endif  // PASSES_DIAGNOSTICS_HELDDIAGNOSTICS_H_
