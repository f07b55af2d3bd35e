// Which ops of the dialect may be folded. Internal to the dialect.
//
// A fold gives every element the same bits as before. It leaves alone what
// somebody has said about an op: an attribute such as sbp.stage, nn.id or
// nn.reduced_in names the op, so the op stays.

#ifndef DIALECTS_NN_FOLDS_H_
#define DIALECTS_NN_FOLDS_H_

#include "dialects/support/LLVM.h"

namespace sbp::nn {

/// Returns whether `op` has no attributes but its own, so that another value
/// may take the place of its result.
bool isUnmarked(Operation* op);

/// Returns the op that makes `value`, if it is an Op that `user` may absorb:
/// both are unmarked and have no placements. A placed op stays as it is, as its
/// placement may be legal for two ops and for no op that does the work of both.
template <typename Op>
Op absorbed(Operation* user, Value value);

/// Returns whether both ops are unmarked and have no placements.
bool mayJoin(Operation* user, Operation* maker);

template <typename Op>
Op absorbed(Operation* user, Value value) {
  auto maker = value.getDefiningOp<Op>();
  return maker && mayJoin(user, maker) ? maker : Op();
}

}  // namespace sbp::nn

#endif  // DIALECTS_NN_FOLDS_H_
