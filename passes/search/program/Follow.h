// How an op runs that follows another one.
//
// The ops that compute gradients run as their forward op does: where it splits a
// loop, they split the one that lays its tensors in the same way. So they need
// no decision of their own. For  y = einsum "bi,ij->bj" x, w  and one axis:
//
//   forward                    dx = einsum "bj,ij->bi" dy, w     dw = "bi,bj->ij" x, dy
//   b   x S(0)  w B    y S(0)  dy S(0)  w B    dx S(0)           x S(0)  dy S(0)  dw P
//   j   x B     w S(1) y S(1)  dy S(1)  w S(1) dx P              x B     dy S(1)  dw S(1)
//   i   x S(1)  w S(0) y P     dy B     w S(0) dx S(1)           x S(1)  dy B     dw S(0)
//
// The gradient of a tensor lies as the tensor does, and is Broadcast where that
// is Partial: every device needs the whole gradient for its own term.
//
// That gradients gain nothing from placements of their own was measured, not
// proven: docs/search.md.

#ifndef PASSES_SEARCH_PROGRAM_FOLLOW_H_
#define PASSES_SEARCH_PROGRAM_FOLLOW_H_

#include <optional>

#include "dialects/sbp/LoopNest.h"
#include "passes/placement/Signatures.h"

namespace sbp::search {

/// How the gradient of a tensor with this component lies.
Component gradientOf(Component component);
Placement gradientOf(llvm::ArrayRef<Component> placement);

/// How the tensors of an op should lie, where that is known.
struct Wishes {
  llvm::SmallVector<std::optional<Placement>, 4> operands;
  /// Matter only where the operands leave a choice.
  llvm::SmallVector<std::optional<Placement>, 2> results;
};

/// The signature of `nest` that lays the fewest tensors otherwise than wished,
/// chosen axis by axis; nothing when it is not legal on the whole mesh.
std::optional<MeshSignature> follow(const LoopNest& nest, const Mesh& mesh,
                                    const Wishes& wishes);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_FOLLOW_H_
