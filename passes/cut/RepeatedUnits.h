// Runs of units that a program can do without when its kinds of units are
// priced.
//
// A deep model repeats units of the same kinds. Let the values that are live
// before unit i have the types of those that are live before unit j, and let no
// unit from i to j be the first of its kind. Then units i to j can be left out,
// if what follows takes the values before unit i in their order:
//
//   %0 = @embed(%x)            %0 = @embed(%x)
//   %1 = @layer(%0)            %1 = @layer(%0)
//   %2 = @layer(%1)
//   ...
//   %24 = @layer(%23)
//   %y = @head(%24)            %y = @head(%1)
//
// All kinds are left, each with operands of the same types, so they have the
// same prices. So prices of a deep model take no longer than those of a model
// of few layers.

#ifndef PASSES_CUT_REPEATEDUNITS_H_
#define PASSES_CUT_REPEATEDUNITS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "dialects/support/LLVM.h"
#include "passes/cut/EntryUnits.h"

namespace sbp {

/// Units [first, last), which can be left out.
struct RepeatedUnits {
  int64_t first = 0, last = 0;
  /// Values that are live before unit `last`, and values before unit `first`
  /// that take their place.
  std::vector<std::pair<Value, Value>> replacements;
};

/// Returns runs of `units` that can be left out, in order. They do not overlap,
/// and are long enough to be worth it.
std::vector<RepeatedUnits> repeatedUnits(const EntryUnits& units);

}  // namespace sbp

#endif  // PASSES_CUT_REPEATEDUNITS_H_
