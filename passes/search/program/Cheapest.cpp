#include "passes/search/program/Cheapest.h"

#include <optional>

#include "passes/boxing/AlikeAxes.h"
#include "passes/search/program/AxisDescent.h"
#include "passes/search/program/NamelessSearch.h"
#include "passes/search/program/Tables.h"

namespace sbp::search {

CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements) {
  std::vector<Moment> moments;
  std::optional<CheapestPlan> plan =
      AlikeAxes(graph.mesh).areAllDifferent()
          ? searchTables(graph, memoryBytes, movements, moments)
          : searchWithoutNames(graph, memoryBytes, movements);
  return plan ? *plan : descendByAxes(graph, memoryBytes, movements);
}

}  // namespace sbp::search
