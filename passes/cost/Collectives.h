// What a collective costs on a machine.
//
// passes/cost/AlphaBeta.h has what is sent, the machine what a message costs,
// where it says so by collective, group size and message size (Network.h). The
// message of a group of p is a p-th of n.
//
// A group that spans several levels waits for the slowest link: of levels
// without prices of their own for the collective it pays the worst alpha and
// the worst beta, and never less than any level alone would take.

#ifndef PASSES_COST_COLLECTIVES_H_
#define PASSES_COST_COLLECTIVES_H_

#include <cstdint>

#include "dialects/sbp/Algebra.h"
#include "dialects/sbp/Network.h"

namespace sbp {

/// Seconds of a collective over the mesh axes `axes`, where `bytes` is what a
/// member holds where it holds most. Never falls as `bytes` grows.
double collectiveSeconds(Collective collective, llvm::ArrayRef<int64_t> axes,
                         double bytes, const Mesh& mesh);

}  // namespace sbp

#endif  // PASSES_COST_COLLECTIVES_H_
