// Conditions for folding ops of the dialect. Internal to the dialect.
//
// A fold changes no bit of any element. An op with a discardable attribute,
// such as sbp.stage, nn.id or nn.reduced_in, is not folded, because the
// attribute belongs to this op and would be lost.

#ifndef DIALECTS_NN_FOLDS_H_
#define DIALECTS_NN_FOLDS_H_

#include "dialects/support/LLVM.h"

namespace sbp::nn {

/// Whether `op` has no discardable attributes, so that another value may take
/// the place of its result.
bool isUnmarked(Operation* op);

/// Returns the op that makes `value`, if it is an `Op` and mayJoin() allows
/// `user` to do the work of both; null otherwise.
template <typename Op>
Op absorbed(Operation* user, Value value);

/// Whether one op may do the work of `user` and of `maker`, which makes an
/// operand of `user`: both are unmarked and have no placements. (Placements
/// that are legal for the two ops need not be legal for an op that does the
/// work of both.)
bool mayJoin(Operation* user, Operation* maker);

template <typename Op>
Op absorbed(Operation* user, Value value) {
  auto maker = value.getDefiningOp<Op>();
  return maker && mayJoin(user, maker) ? maker : Op();
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_FOLDS_H_
