// Determines which inputs of an entry run over the samples of its batch, and
// how many samples there are.
//
// A batch input has its samples in dimension 0, as 8 x 32 tokens. Other inputs
// may have several elements of each sample there (256 labels), or the same
// elements for all samples (32 positions). Types do not show which is the case.
// So the possible choices are tried, likeliest first:
//
//   %tokens: 8x32, %labels: 256     8 samples, with 32 labels each
//   %tokens: 8x32, %positions: 32   8 samples, with 4 positions each; if that
//                                   mixes samples, the same 32 positions for
//                                   all
//   %rows: 256x16, which a reshape makes 8x32x16
//                                   256 samples; if that mixes them, 32, 16,
//                                   then 8
//
// A choice that mixes samples is rejected. With any other choice, the
// micro-batches compute what the whole batch does (MicroBatchFunctions.h),
// except for the statistics of batch normalisation (MicroBatches.h).

#ifndef PASSES_MICROBATCHES_BATCHINPUTS_H_
#define PASSES_MICROBATCHES_BATCHINPUTS_H_

#include <vector>

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/microbatches/Batch.h"
#include "passes/microbatches/BatchParts.h"

namespace sbp {

/// A choice of the number of samples and of the inputs that run over them.
struct BatchInputs {
  Batch batch;
  /// For each input, whether its dimension 0 runs over the samples.
  std::vector<bool> isDivided;
};

/// Returns the choices for `entry`, likeliest first. In each, at least one
/// input runs over the samples, and their number is a multiple of
/// parts.count(). Fails with a diagnostic if there is no such choice.
FailureOr<std::vector<BatchInputs>> batchInputsOf(mlir::func::FuncOp entry,
                                                  BatchParts parts);

}  // namespace sbp

#endif  // PASSES_MICROBATCHES_BATCHINPUTS_H_
