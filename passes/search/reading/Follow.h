// Signatures of ops that follow another op.
//
// An op that computes gradients runs as its forward op does: if the forward op
// splits a loop, the gradient's op splits the loop that places the tensors in
// the same way. So it needs no decision of its own. For y = einsum "bi,ij->bj"
// x, w on one axis:
//
//   split   x, w -> y         dy, w -> dx        x, dy -> dw
//   b       S(0), B -> S(0)   S(0), B -> S(0)    S(0), S(0) -> P
//   j       B, S(1) -> S(1)   S(1), S(1) -> P    B, S(1) -> S(1)
//   i       S(1), S(0) -> P   B, S(0) -> S(1)    S(1), B -> S(0)
//
// A gradient has the placement of its tensor, but Broadcast where the tensor is
// Partial, because every device needs the whole gradient for its own term.
//
// That other placements of gradients gain nothing has been measured, not
// proven: docs/search.md.

#ifndef PASSES_SEARCH_READING_FOLLOW_H_
#define PASSES_SEARCH_READING_FOLLOW_H_

#include <optional>

#include "dialects/sbp/LoopNest.h"
#include "passes/plan/Signatures.h"

namespace sbp::search {

/// Return the component, or placement, of the gradient of a tensor that has the
/// given one.
Component gradientOf(Component component);
Placement gradientOf(llvm::ArrayRef<Component> placement);

/// The wanted placements of the tensors of an op; nullopt if any will do.
struct Wishes {
  llvm::SmallVector<std::optional<Placement>, 4> operands;
  /// They matter only if several signatures fit the operands equally well.
  llvm::SmallVector<std::optional<Placement>, 2> results;
  /// The axes on which the op may communicate itself, because its forward op
  /// does.
  llvm::SmallVector<int64_t, 3> communicating = {};
};

/// Returns the signature of `nest` that differs from the wishes in the fewest
/// tensors, chosen axis by axis; nullopt if the signature chosen is not legal
/// on the whole mesh.
std::optional<MeshSignature> follow(const LoopNest& nest, const Mesh& mesh,
                                    const Wishes& wishes);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_READING_FOLLOW_H_
