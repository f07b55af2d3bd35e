// The memory that the tensors of a rank's program take, derived from its ops.
//
// The search estimates the memory of a plan before there is a program. A test
// compares this estimate with the memory of the finished program. LocalCost.h
// does the same for time.

#ifndef PASSES_COST_LOCALMEMORY_H_
#define PASSES_COST_LOCALMEMORY_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Returns the bytes of a tensor of local type `type`.
double localBytes(Type type);

/// Returns the largest number of bytes that are live at any op in one run of
/// `entry` of `program`. Parameters and inputs are always live. Results of the
/// entry are live from the op that makes them to the end, other tensors to
/// their last use. The working memory of a kernel (KernelMemory.h) is live
/// while the kernel runs. Some values take the memory of others: the new value
/// of a parameter that of the old value; the result of a reshape that of its
/// operand; the results of an nn.repeat that of the values that it carries. No
/// other tensors share memory.
double busiestBytes(rank::ProgramOp program, StringRef entry);

}  // namespace sbp

#endif  // PASSES_COST_LOCALMEMORY_H_
