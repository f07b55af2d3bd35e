#include "passes/search/cheapest/Cheapest.h"

#include <optional>
#include <utility>
#include <vector>

#include "passes/boxing/AlikeAxes.h"
#include "passes/search/cheapest/AxisDescent.h"
#include "passes/search/cheapest/QuotientSearch.h"
#include "passes/search/cheapest/QuotientTuning.h"
#include "passes/search/cheapest/Tables.h"

namespace sbp::search {
CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements, const SearchRun& run) {
  std::vector<Moment> moments;
  if (run.isOver())
    return searchTiedLevels(graph, memoryBytes, movements, moments, run);
  std::optional<CheapestPlan> known;
  if (AlikeAxes(graph.mesh).areAllDifferent()) {
    run.beginPhase("tables");
    known = searchTables(graph, memoryBytes, movements, moments,
                         /*shares=*/nullptr, /*range=*/{},
                         run.part(kQuotient.tablesShare));
    if (known && isProven(*known, run.gap())) return *known;
    // A search that need not prove its plan leaves it at a plan that fits.
    if (known && known->fits && run.gap() > 0) return *known;
  }
  return searchQuotient(graph, memoryBytes, movements, std::move(known),
                        std::move(moments), run);
}

}  // namespace sbp::search
