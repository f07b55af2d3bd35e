#include "passes/search/program/Cheapest.h"

#include <optional>
#include <utility>
#include <vector>

#include "passes/boxing/AlikeAxes.h"
#include "passes/search/program/NamelessSearch.h"
#include "passes/search/program/Tables.h"

namespace sbp::search {

CheapestPlan findCheapest(const DecisionGraph& graph, double memoryBytes,
                          Movements& movements) {
  std::optional<CheapestPlan> known;
  if (AlikeAxes(graph.mesh).areAllDifferent()) {
    std::vector<Moment> moments;
    known = searchTables(graph, memoryBytes, movements, moments);
    if (known && isProven(*known)) return *known;
  }
  return searchWithoutNames(graph, memoryBytes, movements, std::move(known));
}

}  // namespace sbp::search
