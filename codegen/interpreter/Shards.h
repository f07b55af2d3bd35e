// Cuts whole tensors into the local tensors of ranks, and assembles them again.
//
// Cutting a tensor by a placement gives one local tensor per rank. Assembling
// the local tensors gives the tensor back, up to rounding of sums. A tensor is
// cut along the outermost mesh axis first; each part is cut along the next
// axis, and so on:
//
//   [S(0), P(sum)] on 2 x 2     cut into upper and lower half, then each half
//                               into two terms that add up to it
//
// A Partial tensor can be cut in many ways, and a program is right if it is
// right for all of them. So terms are random. Terms of a sum are small integers
// of both signs, except the last term, which is the remainder. So tensors of
// small integers stay exact. For each element of a maximum or minimum, one rank
// has the value; each other rank also has the value, or has a value that the
// reduction drops, or the neutral element.

#ifndef CODEGEN_INTERPRETER_SHARDS_H_
#define CODEGEN_INTERPRETER_SHARDS_H_

#include <vector>

#include "codegen/interpreter/Random.h"
#include "codegen/interpreter/Tensor.h"
#include "dialects/sbp/Algebra.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp::interpreter {

/// Returns the local tensors of all ranks of `mesh`, by position in the mesh.
/// `placement` has a component per mesh axis, and splits only dimensions that
/// `whole` has. Terms are drawn from `random`; ranks along a Broadcast axis
/// have equal terms.
std::vector<Tensor> cut(const Tensor& whole, ArrayRef<Component> placement,
                        const Mesh& mesh, const CountedRandom& random);

/// Returns the whole tensor of type `type` whose local tensors are `locals`, by
/// position in `mesh`. Fails with a diagnostic from `emitError` if a local
/// tensor does not have the type of its rank's part, or copies along a
/// Broadcast axis differ (Tensor::isIdenticalTo).
FailureOr<Tensor> assembled(
    ArrayRef<Tensor> locals, RankedTensorType type,
    ArrayRef<Component> placement, const Mesh& mesh,
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Returns the elementwise reduction of `terms`, in their order. There must be
/// at least one term, and all must have one type.
Tensor reduced(Reduction reduction, ArrayRef<Tensor> terms);

/// Returns a tensor of `type` filled with the neutral element of `reduction`.
Tensor neutral(Reduction reduction, RankedTensorType type);

}  // namespace sbp::interpreter

#endif  // CODEGEN_INTERPRETER_SHARDS_H_
