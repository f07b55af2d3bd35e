// Prints errors that belong to no line of the user's files.
//
// MLIR gives every error a location; for a file that cannot be opened it is
// "<unknown>:0", for a module as a whole "model.mlir:0:0". Such an error is
// printed as one of the command, or of the file:
//
//   error: cannot write absent/gpt: No such file or directory
//   model.mlir: error: the module defines no mesh @grid

#ifndef CODEGEN_DRIVER_UNLOCATEDERRORS_H_
#define CODEGEN_DRIVER_UNLOCATEDERRORS_H_

#include "mlir/IR/Diagnostics.h"

namespace sbp {

/// Prints diagnostics without a line on standard error during its lifetime.
/// Other diagnostics go to the handler that was registered before.
class UnlocatedErrors {
 public:
  explicit UnlocatedErrors(mlir::MLIRContext& context);

 private:
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_UNLOCATEDERRORS_H_
