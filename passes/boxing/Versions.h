// Serves the uses of a tensor, each of which may want another placement.
//
// A tensor is made in one placement, its first version. A use that wants
// another placement gets a new version, which is boxed from the cheapest
// existing version. The new version is available to later uses:
//
//   made [S(0)];  uses want [B], [S(0)], [B], [S(1)]
//     [B]     gathered from [S(0)]
//     [S(0)]  the tensor as it was made
//     [B]     the version of the first use
//     [S(1)]  sliced from [B], which is free; from [S(0)] it is an all-to-all
//
// So the cost of a tensor's movements depends on all its uses together. The
// result of a pin counts as a separate tensor, made in the pinned placement.
//
// --sbp-insert-boxing makes the movements by this rule, and the search prices
// them by it.

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
    size_t version = 0;  // version that the use reads
    bool isNew = false;
    size_t boxedFrom = 0;  // version from which a new version is boxed
    double seconds = 0;    // of the new boxing; 0 if none is made
  };
  /// Serves a use that wants the placement `wanted`. Adds a version if there is
  /// none in that placement yet. A new version without Partial components is
  /// boxed from a version without Partial components, if there is one, even if
  /// boxing from a Partial version is cheaper. So terms are added up only once,
  /// in one order.
  Serving serve(PlacementNumber wanted, Seconds seconds, IsPartial isPartial);

 private:
  llvm::SmallVector<PlacementNumber, 4> placements_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_VERSIONS_H_
