// Prints diagnostics that belong to no line of the user's files.
//
// MLIR gives every diagnostic a location: "<unknown>:0" for a file that cannot
// be opened, "model.mlir:0:0" for a module as a whole. Such a diagnostic is
// printed with the name of the file, if there is one, and without a line:
//
//   error: cannot write absent/gpt: No such file or directory
//   model.mlir: error: the module defines no mesh @grid

#ifndef CODEGEN_DRIVER_UNLOCATEDERRORS_H_
#define CODEGEN_DRIVER_UNLOCATEDERRORS_H_

#include "mlir/IR/Diagnostics.h"

namespace sbp {

/// While this object exists, prints to standard error the diagnostics whose
/// location is unknown or has line 0. All others go to the handler that was
/// registered before.
class UnlocatedErrors {
 public:
  explicit UnlocatedErrors(mlir::MLIRContext& context);

 private:
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_UNLOCATEDERRORS_H_
