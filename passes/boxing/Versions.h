// Serving the uses of a tensor, each of which may want it laid otherwise.
//
// A tensor is made in one placement. Every use that wants another one is served
// from the cheapest of the versions that are there by then, and what it was
// given is there for the uses after it:
//
//   made [S(0)];  uses want [B], [S(0)], [B], [S(1)]
//     [B]     gathered from [S(0)]
//     [S(0)]  the tensor as it was made
//     [B]     the version of the first use
//     [S(1)]  sliced from [B], which is free; from [S(0)] it is an all-to-all
//
// What a tensor's movements cost is hence a matter of all its uses together.
// What stands behind a pin uses a tensor of its own, made as the pin wants it.
//
// --sbp-insert-boxing makes the movements and the search prices them, by this
// one rule.

#ifndef PASSES_BOXING_VERSIONS_H_
#define PASSES_BOXING_VERSIONS_H_

#include <cstdint>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace sbp {

/// The versions of one tensor. Placements are known by numbers of the caller's
/// choice.
class Versions {
 public:
  using PlacementNumber = int64_t;

  /// The price of a transition.
  using Seconds =
      llvm::function_ref<double(PlacementNumber from, PlacementNumber to)>;
  /// Whether a placement has a Partial component.
  using IsPartial = llvm::function_ref<bool(PlacementNumber)>;

  explicit Versions(PlacementNumber original) : placements_{original} {}

  /// How a use is served: by a version, which was boxed from another one if it
  /// is new. Versions are numbered as they come to be; the original has 0.
  struct Serving {
    size_t version = 0;
    bool isNew = false;
    size_t boxedFrom = 0;
    double seconds = 0;
  };
  Serving serve(PlacementNumber wanted, Seconds seconds, IsPartial isPartial);

 private:
  llvm::SmallVector<PlacementNumber, 4> placements_;
};

}  // namespace sbp

#endif  // PASSES_BOXING_VERSIONS_H_
