// How much memory the tensors of a rank's program take, read off its ops.
//
// As LocalCost.h does for time: what the search reckons with before there is a
// program is compared with the program that came out.

#ifndef PASSES_COST_LOCALMEMORY_H_
#define PASSES_COST_LOCALMEMORY_H_

#include "dialects/rank/Rank.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Bytes of a tensor of local type `type`.
double localBytes(Type type);

/// Bytes of all tensors that are needed while the busiest op runs in one run of
/// `entry` of `program`: all parameters; the inputs; and each other tensor from
/// the op that makes it to the last one that uses it. A parameter's new value
/// lies where the old one does. What a kernel works in is there while it runs.
/// No other two tensors share memory, but a
/// tensor and its reshapes do.
double busiestBytes(rank::ProgramOp program, StringRef entry);

}  // namespace sbp

#endif  // PASSES_COST_LOCALMEMORY_H_
