// How ops speak of the integers that a model is given.
//
// A token chooses a row of a table, a label one of the classes of a loss. Such
// an op knows how many there are, and says it by IndexOpInterface. On the way
// to it integers may be arranged anew; an op that does no more than that says
// it by the trait KeepsElements:
//
//   %t = nn.reshape %tokens ...      keeps elements
//   %e = nn.embedding %table, %t     chooses among the rows of %table
//
// Between them they bound the input %tokens. Ops of other dialects take part by
// the same two.

#ifndef DIALECTS_NN_INDEXOP_H_
#define DIALECTS_NN_INDEXOP_H_

#include <optional>

#include "dialects/support/LLVM.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::nn {

/// Trait of ops whose one result has every element of every operand, changed at
/// most in its type; it may have others besides.
template <typename ConcreteOp>
class KeepsElements
    : public mlir::OpTrait::TraitBase<ConcreteOp, KeepsElements> {};

}  // namespace sbp::nn

#include "dialects/nn/NnIndexInterface.h.inc"

#endif  // DIALECTS_NN_INDEXOP_H_
