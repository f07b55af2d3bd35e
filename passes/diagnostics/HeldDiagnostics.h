// Diagnostics that are held back until it is known whether they matter.
//
// For example, finding no plan within a limit is an error only if no later
// attempt succeeds.

#ifndef PASSES_DIAGNOSTICS_HELDDIAGNOSTICS_H_
#define PASSES_DIAGNOSTICS_HELDDIAGNOSTICS_H_

#include <vector>

#include "mlir/IR/Diagnostics.h"

namespace sbp {

/// Holds back diagnostics during its lifetime. The destructor drops the
/// diagnostics that were not taken.
class HeldDiagnostics {
 public:
  /// The diagnostics that are held back. All others go to the handler
  /// that was current when this object was constructed.
  enum class Which { All, Errors };

  /// Starts to hold back the diagnostics that are emitted in `context`.
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
