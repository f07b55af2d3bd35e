// Errors that belong to no line of the user's files.
//
// MLIR has a location for everything; for a file that cannot be opened it is
// "<unknown>:0", for a module as a whole "model.mlir:0:0". Such an error is
// shown as what it is, an error of the file or of the command:
//
//   error: cannot write absent/gpt: No such file or directory
//   model.mlir: error: the module defines no mesh @grid

#ifndef CODEGEN_DRIVER_PLACELESSERRORS_H_
#define CODEGEN_DRIVER_PLACELESSERRORS_H_

#include "mlir/IR/Diagnostics.h"

namespace sbp {

/// While it lives, shows diagnostics without a line on standard error; others
/// go to the handler registered before.
class PlacelessErrors {
 public:
  explicit PlacelessErrors(mlir::MLIRContext& context);

 private:
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PLACELESSERRORS_H_
