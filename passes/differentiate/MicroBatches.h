// A batch in parts.
//
// A loss over a batch becomes one over so many micro-batches, each a call of
// one function:
//
//   @loss(%x: tensor<8x..>) {                @loss(%x: tensor<8x..>) {
//     %w = nn.get @w                           %w = nn.get @w
//     ...                                      %x0 = ...  every 4th sample
//   }                                          %l0 = call @loss.part(%x0, %w)
//                                              %x1 = ...  and those after them
//                                              ...
//                                              return (%l0 + %l1 + ...) / 4 }
//
// @loss.part, and what it calls, is the program for a batch of two: all that
// has a dimension of samples (SampleDims.h) has fewer of them. Parameters are
// its arguments. So a parameter may be moved once for all parts, or in each.
//
// Part k has the samples k, k + 4, ...: where the ranks share the samples, each
// has some of every part, and cuts them from what it has.
//
// What is reckoned from all samples of a batch other than by a sum or a mean,
// as the statistics of batch normalisation, is reckoned from those of a part.

#ifndef PASSES_DIFFERENTIATE_MICROBATCHES_H_
#define PASSES_DIFFERENTIATE_MICROBATCHES_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

/// Rewrites `loss`, whose calls do not recur, to `count` micro-batches: calls
/// of one function, whose results are added up and multiplied by the number
/// that is returned. Fails with a diagnostic when an input has a number of
/// samples that `count` does not divide, when the loss is neither a mean nor a
/// sum over samples, or when an op knows otherwise than by a dimension how many
/// there are.
FailureOr<double> divideIntoMicroBatches(mlir::func::FuncOp loss, int64_t count,
                                         mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_MICROBATCHES_H_
