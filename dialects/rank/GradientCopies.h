// The attribute that says which ranks have copies of a gradient.
//
// The local type of a tensor does not show whether other ranks have the same
// elements or different ones. The norm of a gradient must count each element
// once. Therefore the optimiser's update step that reads a gradient has an
// attribute:
//
//   nn.sgd %w, %gradient, %lr {rank.gradient_copies = ["node"], ...}

#ifndef DIALECTS_RANK_GRADIENTCOPIES_H_
#define DIALECTS_RANK_GRADIENTCOPIES_H_

#include "llvm/ADT/StringRef.h"

namespace sbp::rank {

/// Name of the attribute. Its value lists the names of the mesh axes along
/// which ranks have copies of the gradient, in the mesh's order. The mesh is
/// that of the update step (meshOf in Rank.h). Without the attribute no two
/// ranks have copies.
inline constexpr llvm::StringLiteral kGradientCopiesAttrName =
    "rank.gradient_copies";

}  // namespace sbp::rank

#endif  // DIALECTS_RANK_GRADIENTCOPIES_H_
