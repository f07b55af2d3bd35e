// Bounds of the integers that a model takes as inputs.
//
// A token is the index of a row of a table; a label is the index of a class. An
// op that takes indices returns the number of rows or classes by
// IndexOpInterface. Between the input and this op, other ops may rearrange the
// integers; an op that only rearranges them has the trait KeepsElements:
//
//   %t = nn.reshape %tokens ...      keeps elements
//   %e = nn.embedding %table, %t     looks rows of %table up
//
// Here the interface gives the number of rows of %table as the bound of %t. The
// trait then makes it the bound of the input %tokens. Ops of other dialects may
// use the interface and the trait as well.

#ifndef DIALECTS_NN_INDEXOP_H_
#define DIALECTS_NN_INDEXOP_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::nn {

/// Trait of ops with one result that contains every element of every operand.
/// The result may contain further elements.
template <typename ConcreteOp>
class KeepsElements
    : public mlir::OpTrait::TraitBase<ConcreteOp, KeepsElements> {};

}  // namespace sbp::nn

#include "dialects/nn/NnIndexInterface.h.inc"

#endif  // DIALECTS_NN_INDEXOP_H_
