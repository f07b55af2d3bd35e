// The attribute of an optimiser's update step for the ranks with the same
// gradient.
//
// The local type of a tensor does not tell whether other ranks have copies of
// it or other elements. The norm of a gradient must count each element once, so
// the update step that reads a gradient has an attribute:
//
//   nn.sgd %w, %gradient, %lr {rank.gradient_copies = ["node"], ...}

#ifndef DIALECTS_RANK_GRADIENTCOPIES_H_
#define DIALECTS_RANK_GRADIENTCOPIES_H_

#include "llvm/ADT/StringRef.h"

namespace sbp::rank {

/// Name of the attribute. Its value is the list of the names of the mesh axes
/// along which ranks have copies of the gradient, in ascending order. Without
/// the attribute no two ranks have copies.
inline constexpr llvm::StringLiteral kGradientCopiesAttrName =
    "rank.gradient_copies";

}  // namespace sbp::rank

#endif  // DIALECTS_RANK_GRADIENTCOPIES_H_
