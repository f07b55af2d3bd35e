// The content of `sbpc explain` for a plan, to be written as text
// (ExplanationText.h), or as JSON and as an HTML page (ExplanationJson.h).

#ifndef CODEGEN_DRIVER_PLANREPORT_H_
#define CODEGEN_DRIVER_PLANREPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/driver/LaunchCounts.h"
#include "codegen/driver/PipelineChoices.h"
#include "passes/explain/Explanation.h"
#include "passes/explain/SignaturePrices.h"
#include "passes/search/program/Alternatives.h"
#include "passes/search/program/SearchPlan.h"

namespace sbp {

/// A plan with its costs and its alternatives.
struct PlanReport {
  std::string model;  // name of the module
  Mesh mesh;
  // Device of the machine. Its memory is that of the option --memory, if given;
  // infinite if neither the option nor the machine states it.
  Device device;
  Explanation explanation;
  /// The space in which the search looks for plans.
  SearchSpace space = SearchSpace::Full;
  /// Costs of the entries, in the order in which plans were searched for them;
  /// empty if the model was placed already. Their memory is the memory after
  /// layout or, if the layout fails, the memory that the search has counted.
  std::vector<search::EntryCost> searched;
  /// Seconds that one run of searched.front().entry would take if the model
  /// were placed by propagation from its pins. 0 if `searched` is empty.
  double propagated = 0;
  /// Alternatives to the plan of searched.front().entry. None if `searched` is
  /// empty, or if only a plan that takes little memory fits.
  search::Alternatives alternatives;
  /// Signatures of the ops and their prices; empty if not requested.
  std::vector<OpSignatures> signatures;
  LaunchCounts launches;  // kernel launches of each entry, on GPUs
  /// The choice of --plan; nullopt without it.
  std::optional<PipelineChoices> choices;

  /// Returns the entry for which a plan was searched first; if the model was
  /// placed already, the entry that takes longest.
  const ExplainedEntry& mainEntry() const;

  /// Returns the names of the mesh's axes that are on the machine's level of
  /// index `level`.
  std::vector<std::string> axesOn(int64_t level) const;

  /// Returns the element of `searched` for the entry called `entry`; null if
  /// there is none.
  const search::EntryCost* searchedCost(const std::string& entry) const;

  /// Returns sentences on how far the plan of `entry` is proven to be the best:
  /// "No plan takes less: proven." `cost` is its element of `searched`.
  std::string proofText(const ExplainedEntry& entry,
                        const search::EntryCost& cost) const;

  /// Returns a note that explains the strategies in the comparison.
  std::string strategiesNote() const;

  /// Returns a note that explains the prices of pins.
  std::string pinsNote() const;
};

}  // namespace sbp

#endif  // CODEGEN_DRIVER_PLANREPORT_H_
