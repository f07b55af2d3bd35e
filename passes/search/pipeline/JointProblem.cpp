#include "passes/search/pipeline/JointProblem.h"

#include <cmath>
#include <memory>

#include "passes/schedule/families/Family.h"
#include "passes/search/pipeline/FamilyTable.h"
#include "passes/search/pipeline/StageCost.h"
#include "runtime/status/Status.h"

namespace sbp::search {
namespace {

bool isSound(double number) { return std::isfinite(number) && number >= 0; }

absl::Status checkOption(const UnitOption& option, int64_t numLayouts) {
  for (double number :
       {option.forward, option.input, option.weight, option.once, option.held,
        option.weights, option.stash, option.residue, option.transient})
    if (!isSound(number))
      return error("has {}; times and bytes are finite, and 0 or more", number);
  if (option.layout < 0 || option.layout >= numLayouts)
    return error("has layout {}; `move` has {} layouts", option.layout,
                 numLayouts);
  return absl::OkStatus();
}

template <typename Entry, typename IsSound>
absl::Status checkMatrix(const std::vector<std::vector<Entry>>& matrix,
                         std::string_view name, size_t size,
                         IsSound isSoundEntry) {
  if (matrix.size() != size)
    return error("`{}` has {} rows; `move` has {} layouts", name, matrix.size(),
                 size);
  for (size_t row = 0; row < size; ++row) {
    if (matrix[row].size() != size)
      return error("row {} of `{}` has {} layouts, and `move` {}", row, name,
                   matrix[row].size(), size);
    for (const Entry& entry : matrix[row])
      if (!isSoundEntry(entry))
        return error("row {} of `{}` has a time that is negative or not finite",
                     row, name);
  }
  return absl::OkStatus();
}

absl::Status checkCase(const JointProblem& problem, const JointCase& ofCase) {
  if (ofCase.workers < 1 || ofCase.chunks < 1 || ofCase.microBatches < 1)
    return error(
        "has {} workers, {} chunks and {} micro-batches; 1 or more of each are "
        "needed",
        ofCase.workers, ofCase.chunks, ofCase.microBatches);
  const size_t numLayouts = ofCase.move.size();
  if (numLayouts == 0) return error("has no layouts in `move`; 1 is needed");
  SBP_RETURN_IF_ERROR(checkMatrix(ofCase.move, "move", numLayouts, isSound));
  SBP_RETURN_IF_ERROR(
      checkMatrix(ofCase.cut, "cut", numLayouts, [](const CutTime& time) {
        return isSound(time.busy) && isSound(time.delay);
      }));
  for (int64_t kind : problem.kinds)
    if (kind < 0 || kind >= static_cast<int64_t>(ofCase.options.size()))
      return error("has options of {} kinds; a unit is of kind {}",
                   ofCase.options.size(), kind);
  for (size_t kind = 0; kind < ofCase.options.size(); ++kind) {
    if (ofCase.options[kind].empty())
      return error("has no option for kind {}; 1 is needed", kind);
    for (size_t i = 0; i < ofCase.options[kind].size(); ++i)
      if (const absl::Status status =
              checkOption(ofCase.options[kind][i], ofCase.numLayouts());
          !status.ok())
        return error("option {} of kind {} {}", i, kind, textOf(status));
  }
  return absl::OkStatus();
}

/// Fails unless `plan` chooses among what `problem` has.
absl::Status checkPlan(const JointProblem& problem, const JointPlan& plan) {
  const auto checkIndex = [](std::string_view what, int64_t index,
                             size_t number) {
    if (index >= 0 && index < static_cast<int64_t>(number))
      return absl::OkStatus();
    return error("the plan chooses {} {} of {}", what, index, number);
  };
  SBP_RETURN_IF_ERROR(
      checkIndex("case", plan.chosenCase, problem.cases.size()));
  SBP_RETURN_IF_ERROR(
      checkIndex("family", plan.family, problem.families.size()));
  const JointCase& ofCase = problem.cases[plan.chosenCase];
  if (static_cast<int64_t>(plan.ends.size()) != ofCase.numStages())
    return error("the plan has {} stages; the case has {}", plan.ends.size(),
                 ofCase.numStages());
  for (size_t stage = 0; stage < plan.ends.size(); ++stage)
    if (plan.ends[stage] <= plan.begin(static_cast<int64_t>(stage)))
      return error("stage {} of the plan has no unit", stage);
  if (plan.ends.back() != problem.numUnits())
    return error("the plan has {} units in stages; there are {}",
                 plan.ends.back(), problem.numUnits());
  if (plan.options.size() != problem.kinds.size())
    return error("the plan has options of {} units; there are {}",
                 plan.options.size(), problem.kinds.size());
  for (int64_t unit = 0; unit < problem.numUnits(); ++unit)
    SBP_RETURN_IF_ERROR(checkIndex("option", plan.options[unit],
                                   problem.optionsOf(ofCase, unit).size()));
  return absl::OkStatus();
}

}  // namespace

absl::Status JointProblem::check() const {
  if (kinds.empty()) return error("there are no units; 1 is needed");
  if (cases.empty()) return error("there are no cases; 1 is needed");
  if (families.empty()) return error("there are no families; 1 is needed");
  if (!isSound(memory))
    return error("the memory has {} bytes; it is finite, and 0 or more",
                 memory);
  for (const schedule::ChosenFamily& family : families) {
    SBP_RETURN_IF_ERROR(schedule::familyNamed(family.name).status());
    if (family.isRecomputed)
      return error(
          "{} has recompute = true; here, recomputation is an option of a unit",
          family.name);
  }
  for (size_t i = 0; i < cases.size(); ++i)
    if (const absl::Status status = checkCase(*this, cases[i]); !status.ok())
      return error("case {} ({}) {}", i, cases[i].shape, textOf(status));
  return absl::OkStatus();
}

absl::StatusOr<JointCost> JointProblem::verify(const JointPlan& plan) const {
  SBP_RETURN_IF_ERROR(checkPlan(*this, plan));
  SBP_ASSIGN_OR_RETURN(
      const std::unique_ptr<FamilyTable> table,
      FamilyTable::make(families[plan.family], cases[plan.chosenCase]));
  const std::vector<StageCost> costs = stageCosts(*this, plan);
  JointCost cost;
  cost.bytes = table->bytesOf(costs);
  for (size_t worker = 0; worker < cost.bytes.size(); ++worker)
    if (cost.bytes[worker] > room())
      return error("worker {} needs {} bytes; a device has {}", worker,
                   cost.bytes[worker], memory);
  cost.seconds = table->secondsOf(costs);
  return cost;
}

}  // namespace sbp::search
