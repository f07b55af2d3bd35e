#include "codegen/driver/PlanReport.h"

#include "codegen/driver/Quantities.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

namespace sbp {

const ExplainedEntry& PlanReport::mainEntry() const {
  const std::vector<ExplainedEntry>& entries = explanation.entries;
  auto seconds = [](const ExplainedEntry& entry) {
    return entry.computing() + entry.communicating();
  };
  if (searched.empty())
    return *llvm::max_element(
        entries, [&](const ExplainedEntry& a, const ExplainedEntry& b) {
          return seconds(a) < seconds(b);
        });
  return *llvm::find_if(entries, [&](const ExplainedEntry& entry) {
    return entry.name == searched.front().entry;
  });
}

std::vector<std::string> PlanReport::axesOn(int64_t level) const {
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes)
    if (axis.level == level) names.push_back(axis.name);
  return names;
}

const search::EntryCost* PlanReport::searchedCost(
    const std::string& entry) const {
  for (const search::EntryCost& cost : searched)
    if (cost.entry == entry) return &cost;
  return nullptr;
}

// Later entries are searched with the decisions of the first one fixed.
std::string PlanReport::proofText(const ExplainedEntry& entry,
                                  const search::EntryCost& cost) const {
  // The search counts a kernel per op.
  const double more = entry.computing() + entry.saved() +
                      entry.communicating() - cost.seconds();
  // The search adds up seconds in another order, so tiny differences are
  // rounding.
  const std::string rest = more > 1e-9 * cost.seconds()
                               ? fmt::format(
                                     " Buckets that are not full take {} more "
                                     "than the search counts.",
                                     secondsText(more))
                               : "";
  std::string plan = "plan";
  if (&cost != &searched.front())
    plan = fmt::format("plan that agrees with that of @{}",
                       searched.front().entry);
  else if (space == SearchSpace::AutoDdl)
    plan = "plan of AutoDDL's space";
  if (cost.isProven())
    return fmt::format(
        "No {} takes less{}: proven.{}", plan,
        rest.empty() ? "" : " than " + secondsText(cost.lowerBound), rest);
  if (cost.lowerBound == 0)
    return fmt::format("Whether a {} takes less is open.{}", plan, rest);
  return fmt::format(
      "No {} takes less than {}; whether one takes less than this is open.{}",
      plan, secondsText(cost.lowerBound), rest);
}

std::string PlanReport::strategiesNote() const {
  return fmt::format(
      "Each is the best plan of its kind. Times are those of the search, which "
      "counts buckets as full, except for propagation.{}",
      space == SearchSpace::Full
          ? ""
          : " They may be outside of AutoDDL's space, from which this plan was "
            "chosen.");
}

std::string PlanReport::pinsNote() const {
  return fmt::format(
      "{} The placement of the optimiser's state of a parameter is left free; "
      "sbp.pin places it like the parameter, unless sbp.state_pin gives "
      "another placement.",
      alternatives.arePinsExact
          ? fmt::format("Additional time of the best plan{} with this one pin, "
                        "without a limit of memory.",
                        space == SearchSpace::Full ? "" : " of AutoDDL's space")
          : "Lower bounds of the additional time of a plan with this one pin. "
            "(It is not proven that this plan is the best without a limit of "
            "memory.)");
}

}  // namespace sbp
