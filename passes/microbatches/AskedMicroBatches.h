// The number of micro-batches that an option and the model ask for.

#ifndef PASSES_MICROBATCHES_ASKEDMICROBATCHES_H_
#define PASSES_MICROBATCHES_ASKEDMICROBATCHES_H_

#include <cstdint>

#include "dialects/support/LLVM.h"
#include "mlir/IR/BuiltinOps.h"

namespace sbp {

/// Returns the number of micro-batches of a training step of `module`: `option`
/// or, if that is 0, the number with which the trained entry is marked
/// (dialects/sbp/MicroBatchesMark.h). Returns 0 if neither is there. Fails at
/// the entry if the two differ.
FailureOr<int64_t> askedMicroBatches(ModuleOp module, int64_t option);

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_ASKEDMICROBATCHES_H_
