// An explanation as text to read, as JSON, and as a page to look at.

#ifndef CODEGEN_DRIVER_EXPLANATIONTEXT_H_
#define CODEGEN_DRIVER_EXPLANATIONTEXT_H_

#include <string>
#include <vector>

#include "passes/explain/Explanation.h"
#include "passes/search/program/Alternatives.h"
#include "passes/search/program/SearchPlan.h"

namespace sbp {

/// All that `sbpc explain` says.
struct PlanReport {
  std::string model;
  Mesh mesh;
  double memoryBytes = 0;  // of a device; infinite if the machine does not say
  Explanation explanation;
  /// Of a plan that was searched for.
  std::vector<search::EntryCost> searched;
  /// What propagation would give, of the first of these entries, in seconds.
  double propagated = 0;
  /// Beside the plan of that entry.
  search::Alternatives alternatives;
};

std::string textOf(const PlanReport& report);
/// One object, with all that the text says: seconds and bytes, and under
/// "memory_parts" the names of the parts of an entry's memory.
std::string jsonOf(const PlanReport& report);
/// A page that draws the same, in one file.
std::string htmlOf(const PlanReport& report);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_EXPLANATIONTEXT_H_
