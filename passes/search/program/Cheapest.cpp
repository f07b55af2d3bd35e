#include "passes/search/program/Cheapest.h"

#include <optional>

#include "passes/boxing/AlikeAxes.h"
#include "passes/search/program/AxisDescent.h"
#include "passes/search/program/NamelessSearch.h"
#include "passes/search/program/Tables.h"

namespace sbp::search {

CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements) {
  AlikeAxes alike(graph.mesh);
  std::optional<CheapestPlan> plan =
      alike.areAllDifferent()
          ? searchTables(graph, memoryBytes, movements)
          : searchWithoutNames(graph, alike, memoryBytes, movements);
  return plan ? *plan : descendByAxes(graph, memoryBytes, movements);
}

}  // namespace sbp::search
