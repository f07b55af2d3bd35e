// A family with what is chosen of it, as text.
//
//   1f1b
//   chimera<variant = doubling, pairs = 2>
//   interleaved<chunks = 3, recompute = true>
//
// What there is to choose is a Shape's, but for its depth and its number of
// micro-batches; and `recompute`, of any family, which recomputes each forward
// right before its backward.

#ifndef PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_
#define PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "passes/schedule/families/Family.h"

namespace sbp::schedule {

struct ChosenFamily {
  std::string name;
  Shape shape;
  bool isRecomputed = false;
};

/// Reads such a text. Fails on any other, and if it chooses something twice;
/// whether there is such a family, and it has what is chosen, `tableOf` says.
absl::StatusOr<ChosenFamily> readFamily(std::string_view text);

}  // namespace sbp::schedule

#endif  // PASSES_SCHEDULE_FAMILIES_FAMILYTEXT_H_
