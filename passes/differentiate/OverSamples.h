// How a loss depends on how many samples there are.
//
// Over a batch in parts, the loss is the mean of those of the parts, if it is a
// mean over the samples; their sum, if it is a sum; and otherwise, nobody
// knows:
//
//   %l = nn.cross_entropy %logits, %labels      Mean
//   %l = nn.reduce sum %x over [0]              Sum
//   %r = nn.sqrt %l                             Other
//
// A value is followed from where the samples are reduced; from there on it must
// be used in ways that are linear. What is reduced and then used beside samples
// again, as batch normalisation does with its mean, is a statistic of each
// part.

#ifndef PASSES_DIFFERENTIATE_OVERSAMPLES_H_
#define PASSES_DIFFERENTIATE_OVERSAMPLES_H_

#include "dialects/support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace sbp {

enum class OverSamples {
  None,   // depends on no sample
  Each,   // has an element, or several, for each
  Mean,   // of something of each
  Sum,    // the same
  Other,  // depends on them otherwise
};

/// What result `index` of `function` is, whose inputs are samples along
/// dimension 0. A function is looked at for its first call; what others make of
/// it, with other arguments, is Other.
OverSamples overSamples(mlir::func::FuncOp function, unsigned index,
                        const mlir::SymbolTable& symbols);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_OVERSAMPLES_H_
