// Numbers in attributes, as people write them.

#ifndef DIALECTS_SUPPORT_PRINTNUMBER_H_
#define DIALECTS_SUPPORT_PRINTNUMBER_H_

#include "dialects/support/LLVM.h"
#include "llvm/ADT/APFloat.h"
#include "mlir/IR/OpImplementation.h"

namespace sbp {

/// Prints `number`, which is finite, with the fewest digits that read back as
/// the same double: 0.5, 2.0e-5, 4.0e10. MLIR's printFloat has six digits
/// always, or the bits.
void printNumber(mlir::AsmPrinter& printer, const llvm::APFloat& number);

}  // namespace sbp

#endif  // DIALECTS_SUPPORT_PRINTNUMBER_H_
