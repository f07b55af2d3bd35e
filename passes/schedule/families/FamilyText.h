// A family and its parameters as text.
//
//   1f1b
//   chimera<variant = doubling, pairs = 2>
//   interleaved<chunks = 3, recompute = true>
//
// The parameters are `chunks`, `pairs` and `variant` of Shape. All families
// also have `recompute`: if it is true, each forward is recomputed right before
// its backward.

#ifndef PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_
#define PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {

/// A family's name and its parameters. The caller must set depth, microBatches
/// and workerOfStage of the shape.
struct ChosenFamily {
  std::string name;
  Shape shape;
  bool isRecomputed = false;
};

/// Reads the text of a family. Fails if the text is malformed, has an unknown
/// parameter, or gives a parameter twice. Does not check that the family exists
/// and has these parameters; `tableOf` does.
absl::StatusOr<ChosenFamily> readFamily(std::string_view text);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_
