// The content of `sbpc explain` for a plan, to be written as text
// (ExplanationText.h), or as JSON and as an HTML page (ExplanationJson.h).

#ifndef CODEGEN_DRIVER_PLANREPORT_H_
#define CODEGEN_DRIVER_PLANREPORT_H_

#include <string>
#include <vector>

#include "codegen/driver/LaunchCounts.h"
#include "passes/explain/Explanation.h"
#include "passes/search/program/Alternatives.h"
#include "passes/search/program/SearchPlan.h"

namespace sbp {

/// A plan with its costs and its alternatives.
struct PlanReport {
  std::string model;
  Mesh mesh;
  // Device of the machine, with the memory of the option --memory if that is
  // given. The memory is infinite if neither states it.
  Device device;
  Explanation explanation;
  /// The space in which the search looks for plans.
  SearchSpace space = SearchSpace::Full;
  /// Costs of the entries, in the order in which they were searched; empty if
  /// the plan was not searched. Their memory is that of the layout, if the
  /// layout succeeds, else that of the search.
  std::vector<search::EntryCost> searched;
  /// Seconds of one run of searched.front().entry if the model is placed by
  /// propagation.
  double propagated = 0;
  /// Alternatives to the plan of searched.front().entry.
  search::Alternatives alternatives;
  LaunchCounts launches;

  /// Returns the entry that the plan was searched for first; if the plan was
  /// not searched, the entry that takes longest.
  const ExplainedEntry& mainEntry() const;

  /// Returns the names of the mesh's axes that are on `level` of the machine.
  std::vector<std::string> axesOn(int64_t level) const;

  /// Returns the cost that the search found for an entry; null if there is
  /// none.
  const search::EntryCost* searchedCost(const std::string& entry) const;

  /// Returns a sentence on how far the plan of `entry` is proven best: "No plan
  /// takes less: proven."
  std::string proofText(const ExplainedEntry& entry,
                        const search::EntryCost& cost) const;

  /// Returns a note that explains the strategies in the comparison.
  std::string strategiesNote() const;

  /// Returns a note that explains the prices of pins.
  std::string pinsNote() const;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PLANREPORT_H_
