// How an op runs that follows another one.
//
// The ops that compute gradients run as their forward op does: where it splits
// a loop, they split the one that lays its tensors in the same way. So they
// need no decision of their own. For y = einsum "bi,ij->bj" x, w on one axis:
//
//   split   x, w -> y         dy, w -> dx        x, dy -> dw
//   b       S(0), B -> S(0)   S(0), B -> S(0)    S(0), S(0) -> P
//   j       B, S(1) -> S(1)   S(1), S(1) -> P    B, S(1) -> S(1)
//   i       S(1), S(0) -> P   B, S(0) -> S(1)    S(1), B -> S(0)
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
#include "passes/plan/Signatures.h"

namespace sbp::search {

/// How the gradient of a tensor with this component lies.
Component gradientOf(Component component);
Placement gradientOf(llvm::ArrayRef<Component> placement);

/// How the tensors of an op should lie, where that is known.
struct Wishes {
  llvm::SmallVector<std::optional<Placement>, 4> operands;
  /// Matter only where the operands leave a choice.
  llvm::SmallVector<std::optional<Placement>, 2> results;
  /// The axes on which the op may communicate itself: as its forward op does.
  llvm::SmallVector<int64_t, 3> communicating = {};
};

/// The signature of `nest` that lays the fewest tensors otherwise than wished,
/// chosen axis by axis; nothing when it is not legal on the whole mesh.
std::optional<MeshSignature> follow(const LoopNest& nest, const Mesh& mesh,
                                    const Wishes& wishes);

}  // namespace sbp::search

#endif  // PASSES_SEARCH_PROGRAM_FOLLOW_H_
