// What a step of a boxing costs: the alpha-beta model of ring collectives.
//
// A group of p members exchanges a message of n bytes over links that take
// alpha seconds per message and beta seconds per byte:
//
//   all-reduce                                   2(p-1) alpha + 2(p-1)/p n beta
//   all-gather, reduce-scatter, all-to-all        (p-1) alpha +  (p-1)/p n beta
//   slice, pad, to-partial                        0
//
// n is what one member holds where it holds most: the result of a gather, the
// input of a reduce-scatter, the whole tensor of an all-reduce, the local tile
// of an all-to-all. Parts may be uneven: n is that of the largest part.
//
// A group that spans several mesh axes pays the worst alpha and the worst beta
// of them. Going axis by axis is often cheaper; it is another path, which the
// table of transitions prices as such.
//
// Source: AutoDDL, table 2.

#ifndef PASSES_BOXING_COST_H_
#define PASSES_BOXING_COST_H_

#include "passes/boxing/Step.h"

namespace sbp {

/// Seconds of one step over the mesh axes `axes`, for a tensor of `inputBytes`
/// on the rank that holds most before, and `resultBytes` on the one that holds
/// most after.
double stepSeconds(StepKind kind, llvm::ArrayRef<int64_t> axes,
                   int64_t inputBytes, int64_t resultBytes, const Mesh& mesh);

/// Bytes of the largest local part of a tensor of whole shape `shape`.
int64_t largestLocalBytes(llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                          llvm::ArrayRef<Component> placement,
                          const Mesh& mesh);

}  // namespace sbp

#endif  // PASSES_BOXING_COST_H_
