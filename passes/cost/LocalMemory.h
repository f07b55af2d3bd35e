// The memory that the tensors of a rank's program take, derived from its ops.
//
// Does for memory what LocalCost.h does for time: the estimate that the search
// makes before there is a program is compared with the finished program.

#ifndef PASSES_COST_LOCALMEMORY_H_
#define PASSES_COST_LOCALMEMORY_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Returns the bytes of a tensor of local type `type`.
double localBytes(Type type);

/// Returns the most bytes that are live at any op in one run of `entry` of
/// `program`. Parameters and inputs are always live, results of the entry from
/// the op that makes them to the end, other tensors from the op that makes them
/// to their last use, and the working memory of a kernel while it runs. The new
/// value of a parameter takes the memory of the old one, and a reshape the
/// memory of its operand; no other tensors share memory.
double busiestBytes(rank::ProgramOp program, StringRef entry);

}  // namespace sbp

#endif  // PASSES_COST_LOCALMEMORY_H_
