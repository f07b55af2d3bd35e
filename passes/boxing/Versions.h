// Serves the uses of a tensor, each of which may want another placement.
//
// A tensor is made in one placement, its first version. A use that wants
// another placement gets a new version, boxed from the version from which this
// is cheapest. The new version is available to later uses:
//
//   made [S(0)];  uses want [B], [S(0)], [B], [S(1)]
//     [B]     gathered from [S(0)]
//     [S(0)]  the tensor as it was made
//     [B]     the version of the first use
//     [S(1)]  sliced from [B], which is free; from [S(0)] it is an all-to-all
//
// So the cost of a tensor's movements depends on all its uses together. A pin
// counts as a tensor of its own, which is made in the pinned placement.
//
// --sbp-insert-boxing makes the movements and the search prices them, both by
// this one rule.

#ifndef PASSES_BOXING_VERSIONS_H_
#define PASSES_BOXING_VERSIONS_H_

#include <cstdint>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace sbp {

/// The versions of one tensor. The caller numbers the placements.
class Versions {
 public:
  using PlacementNumber = int64_t;

  /// Returns the seconds of the transition between two placements.
  using Seconds =
      llvm::function_ref<double(PlacementNumber from, PlacementNumber to)>;
  /// Whether a placement has a Partial component.
  using IsPartial = llvm::function_ref<bool(PlacementNumber)>;

  explicit Versions(PlacementNumber original) : placements_{original} {}

  /// The way in which a use is served. Versions are numbered in the order of
  /// their creation; the original is version 0.
  struct Serving {
    size_t version = 0;  // that the use reads
    bool isNew = false;
    size_t boxedFrom = 0;  // version from which a new version is boxed
    double seconds = 0;    // of that boxing; 0 if the version is not new
  };
  /// Serves a use that wants the placement `wanted`; adds a version if there is
  /// none in that placement yet. A new version without Partial components is
  /// boxed from a version without Partial components if there is one, even if
  /// another is cheaper: so terms are added up once, in one order.
  Serving serve(PlacementNumber wanted, Seconds seconds, IsPartial isPartial);

 private:
  llvm::SmallVector<PlacementNumber, 4> placements_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_VERSIONS_H_
