// Which tensors travel in buckets, with others, if they are small.
//
// Gradients become what the optimiser takes, and new values of parameters what
// is kept of them, once in a step: all of them at its end, and nobody waits for
// one of them alone. So they may wait for each other:
//
//   %sum = sbp.box bucketed %gradient    [P(sum)] to [B]
//   %next = nn.sgd %weight, %sum, %rate
//
// What a bucket costs is in passes/cost/Collectives.h, and what is in one in
// codegen/plan/FillBuckets.h.

#ifndef PASSES_BOXING_BUCKETS_H_
#define PASSES_BOXING_BUCKETS_H_

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "passes/cost/Collectives.h"

namespace sbp {

/// How the tensor `made`, or one that is laid otherwise, travels from where it
/// is made to its uses, of a program that is placed or not yet: in a bucket, if
/// each of them is the step of an optimiser that takes it as the gradient, or
/// sets a parameter to what such a step has made.
Travel travelOf(Value made);

/// How `box` travels.
inline Travel travelOf(BoxOp box) {
  return box.getBucketed() ? Travel::InBucket : Travel::Alone;
}

}  // namespace sbp

#endif  // PASSES_BOXING_BUCKETS_H_
