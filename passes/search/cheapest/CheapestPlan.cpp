#include "passes/search/cheapest/CheapestPlan.h"

#include <utility>

#include "passes/search/decisions/Pricing.h"

namespace sbp::search {

CheapestPlan pricedPlan(const DecisionGraph& graph, Assignment assignment,
                        double memoryBytes, Movements& movements) {
  CheapestPlan plan;
  plan.solution.cost = computingSeconds(graph, assignment) +
                       communicatingSeconds(graph, assignment, movements);
  plan.memory = peakMemory(graph, assignment, movements);
  plan.fits = plan.memory.bytes <= memoryBytes;
  plan.solution.assignment = std::move(assignment);
  return plan;
}

}  // namespace sbp::search
