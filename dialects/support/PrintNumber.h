// Short text of floating-point numbers in attributes.

#ifndef DIALECTS_SUPPORT_PRINTNUMBER_H_
#define DIALECTS_SUPPORT_PRINTNUMBER_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/APFloat.h"
#include "mlir/IR/OpImplementation.h"

namespace sbp {

/// Prints `number`, which must be finite, with the fewest digits that parse to
/// the same double: 0.5, 2.0e-5, 4.0e10. (MLIR's printFloat always prints six
/// digits, or the bits.)
void printNumber(mlir::AsmPrinter& printer, const llvm::APFloat& number);

}  // namespace sbp

#endif  // DIALECTS_SUPPORT_PRINTNUMBER_H_
