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
  std::vector<Moment> moments;
  if (AlikeAxes(graph.mesh).areAllDifferent()) {
    known = searchTables(graph, memoryBytes, movements, moments);
    if (known && isProven(*known)) return *known;
  }
  return searchWithoutNames(graph, memoryBytes, movements, std::move(known),
                            std::move(moments));
}

}  // namespace sbp::search
