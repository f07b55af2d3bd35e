// A family and its parameters as text.
//
//   1f1b
//   chimera<variant = doubling, pairs = 2>
//   interleaved<chunks = 3, recompute = true>
//
// The parameters are those of Shape, except for the depth, the number of
// micro-batches, and the workers of stages; and `recompute`, which all families
// have and which recomputes each forward right before its backward.

#ifndef PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_
#define PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {

/// A family's name and its parameters. The text gives the shape neither depth
/// nor micro-batches.
struct ChosenFamily {
  std::string name;
  Shape shape;
  bool isRecomputed = false;
};

/// Reads the text of a family. Fails if it is none, or if it gives a parameter
/// twice. `tableOf` checks that the family exists and has these parameters.
absl::StatusOr<ChosenFamily> readFamily(std::string_view text);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_
