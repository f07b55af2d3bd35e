// Which ranks have the same gradient.
//
// A local type does not tell whether other ranks have equal copies of a tensor
// or elements of their own. Of a gradient somebody wants to know it: its norm
// counts each element once. So the optimiser's step that takes the gradient
// carries an attribute:
//
//   nn.sgd %w, %gradient, %lr {rank.gradient_copies = ["node"], ...}

#ifndef DIALECTS_RANK_GRADIENTCOPIES_H_
#define DIALECTS_RANK_GRADIENTCOPIES_H_

#include "llvm/ADT/StringRef.h"

namespace sbp::rank {

/// The name of the attribute: of the mesh axes along which ranks have copies,
/// the names, ascending. Without it no two ranks have any.
inline constexpr llvm::StringLiteral kGradientCopiesAttrName =
    "rank.gradient_copies";

}  // namespace sbp::rank

#endif  // DIALECTS_RANK_GRADIENTCOPIES_H_
