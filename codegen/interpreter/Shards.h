// A tensor whole, and as its ranks have it.
//
// Cutting a tensor under a placement gives one local tensor per rank;
// assembling those gives the tensor back. Mesh axes are taken one after the
// other, major first, because that is how parts of parts are defined:
//
//   [S(0), P(sum)] on 2 x 2     cut into upper and lower half, then each half
//                               into two terms that add up to it
//
// A Partial tensor can be cut in many ways, and a program is right if it is
// right for all of them. So terms are random: for sums small integers of both
// signs and what is missing to the value, so that tensors of small integers
// stay exact; for maxima and minima the value on one rank, and less, as much,
// or the neutral element on the others.

#ifndef CODEGEN_INTERPRETER_SHARDS_H_
#define CODEGEN_INTERPRETER_SHARDS_H_

#include <vector>

#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp::interpreter {

/// The local tensors of all ranks of `mesh`, in their order. `placement` has a
/// component per mesh axis and splits dimensions of `whole` only. Terms are
/// drawn from `random`; ranks along a Broadcast axis hold the same ones.
std::vector<Tensor> cut(const Tensor& whole, ArrayRef<Component> placement,
                        const Mesh& mesh, const CountedRandom& random);

/// The tensor of type `type` of which `locals` are the local ones, by rank.
/// Fails with a diagnostic from `emitError` when a local tensor has not the
/// shape of its rank's part, or when copies along a Broadcast axis differ in
/// any bit.
FailureOr<Tensor> assembled(
    ArrayRef<Tensor> locals, RankedTensorType type,
    ArrayRef<Component> placement, const Mesh& mesh,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The elementwise reduction of tensors of one type, in their order.
Tensor reduced(Reduction reduction, ArrayRef<Tensor> terms);

/// A tensor of `type` of the neutral element of `reduction`.
Tensor neutral(Reduction reduction, RankedTensorType type);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_SHARDS_H_
