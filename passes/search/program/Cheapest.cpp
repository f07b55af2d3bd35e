#include "passes/search/program/Cheapest.h"

#include <vector>

#include "passes/boxing/AlikeAxes.h"
#include "passes/search/program/AxisDescent.h"
#include "passes/search/program/NamelessSearch.h"
#include "passes/search/program/Tables.h"

namespace sbp::search {

CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements) {
  if (!AlikeAxes(graph.mesh).areAllDifferent())
    return searchWithoutNames(graph, memoryBytes, movements);
  std::vector<Moment> moments;
  auto plan = searchTables(graph, memoryBytes, movements, moments);
  return plan ? *plan : descendByAxes(graph, memoryBytes, movements);
}

}  // namespace sbp::search
