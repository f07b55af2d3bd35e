// All that `sbpc explain` says of a plan, to be written as text
// (ExplanationText.h), as JSON and as a page (ExplanationJson.h).

#ifndef CODEGEN_DRIVER_PLANREPORT_H_
#define CODEGEN_DRIVER_PLANREPORT_H_

#include <string>
#include <vector>

#include "codegen/driver/LaunchCounts.h"
#include "passes/explain/Explanation.h"
#include "passes/search/program/Alternatives.h"
#include "passes/search/program/SearchPlan.h"

namespace sbp {

struct PlanReport {
  std::string model;
  Mesh mesh;
  Device device;  // its memory is infinite if the machine does not say
  Explanation explanation;
  /// Of a plan that was searched for: what for, and what was found.
  SearchSpace space = SearchSpace::Full;
  std::vector<search::EntryCost> searched;
  /// What propagation would give, of the first of these entries, in seconds.
  double propagated = 0;
  /// Beside the plan of that entry.
  search::Alternatives alternatives;
  LaunchCounts launches;

  /// The entry that the plan was searched for first; of a plan that was not
  /// searched for, the one that takes longest.
  const ExplainedEntry& mainEntry() const;

  /// The axes of the mesh that are on `level` of the machine.
  std::vector<std::string> axesOn(int64_t level) const;

  /// What the search found for an entry; null if it did not search.
  const search::EntryCost* searchedCost(const std::string& entry) const;

  /// How the time of `entry` relates to what the search has found for it, in
  /// words: "No plan takes less: proven."
  std::string proofText(const ExplainedEntry& entry,
                        const search::EntryCost& cost) const;

  /// What the strategies are that stand beside the plan.
  std::string strategiesNote() const;

  /// What the prices of pins mean.
  std::string pinsNote() const;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PLANREPORT_H_
