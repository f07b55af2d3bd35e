#include "passes/placement/SearchStages.h"

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/placement/AlikePrograms.h"
#include "passes/placement/GroupProgram.h"
#include "passes/search/program/SearchPlan.h"
#include "passes/stages/InFlight.h"
#include "passes/stages/Schedule.h"

namespace sbp {

using mlir::success;
using mlir::func::FuncOp;

namespace {

/// Fraction of its time by which a group's plan may be slower than the best
/// one. A pipeline waits for its busiest group, so a proof for each group is
/// worth little, and takes most of the time where memory is short.
constexpr double kGapOfGroup = 0.005;

/// Numbers of micro-batches of which a group holds something, for each of its
/// stages.
using HeldNumbers = std::vector<int64_t>;

HeldNumbers heldBy(ModuleOp program) {
  HeldNumbers held;
  for (auto function : program.getOps<FuncOp>())
    llvm::append_range(held, inFlightNumbersOf(function));
  return held;
}

/// A group, and the plan for it.
struct PlannedGroup {
  GroupProgram program;
  const Mesh* mesh;
  HeldNumbers held = {};
  std::optional<Plan> plan = std::nullopt;
  double seconds = 0;  // that the group takes with the plan

  /// Whether this group holds at least as much as `other`, of the same program.
  bool holdsAsMuchAs(const PlannedGroup& other) const {
    return llvm::all_of(llvm::zip(held, other.held), [](const auto& numbers) {
      return std::get<0>(numbers) >= std::get<1>(numbers);
    });
  }
};

/// Whether the meshes of two groups of a machine have equal axes.
bool haveEqualAxes(const Mesh& one, const Mesh& other) {
  return llvm::equal(
      one.axes, other.axes, [](const MeshAxis& one, const MeshAxis& other) {
        return one.level == other.level && one.size == other.size;
      });
}

/// Searches for a plan of each group.
class GroupsSearch {
 public:
  GroupsSearch(const Device& device, SearchSpace space, SearchGoal goal,
               const search::SearchRun& run)
      : device_(device), space_(space), goal_(goal), run_(run) {}

  LogicalResult search(std::vector<PlannedGroup>& groups) {
    numLeft_ = groups.size();
    for (const std::vector<PlannedGroup*>& alike : alikeOf(groups))
      if (failed(search(*alike.front())) || failed(searchAfterFirst(alike)))
        return failure();
    return success();
  }

 private:
  /// Returns lists of groups with the same program and links. In a list, groups
  /// that hold more come first.
  static std::vector<std::vector<PlannedGroup*>> alikeOf(
      std::vector<PlannedGroup>& groups) {
    std::vector<std::vector<PlannedGroup*>> lists;
    for (PlannedGroup& group : groups) {
      auto known = llvm::find_if(lists, [&](const auto& list) {
        return areAlike(*list.front(), group);
      });
      if (known == lists.end()) known = lists.emplace(known);
      known->push_back(&group);
    }
    for (std::vector<PlannedGroup*>& list : lists)
      llvm::sort(list, [](PlannedGroup* one, PlannedGroup* other) {
        return std::tie(one->held, one) > std::tie(other->held, other);
      });
    return lists;
  }

  static bool areAlike(const PlannedGroup& one, const PlannedGroup& other) {
    return haveEqualAxes(*one.mesh, *other.mesh) &&
           compareProgramsOf(one.program.module(), other.program.module());
  }

  /// Plans all of `alike` but the first one, which has a plan.
  LogicalResult searchAfterFirst(ArrayRef<PlannedGroup*> alike) {
    if (alike.size() == 1) return success();
    PlannedGroup &first = *alike.front(), &last = *alike.back();
    if (!last.plan && canReuse(first, last)) reuse(first, last);
    if (!last.plan && failed(search(last))) return failure();
    if (alike.size() == 2) return success();
    // A group that holds less than another one is not slower than it.
    const bool isBetween = llvm::all_of(alike, [&](PlannedGroup* group) {
      return first.holdsAsMuchAs(*group) && group->holdsAsMuchAs(last);
    });
    if (isBetween && first.seconds <= (1 + kGapOfGroup) * last.seconds) {
      for (PlannedGroup* group : alike.drop_front().drop_back())
        reuse(first, *group);
      return success();
    }
    const size_t middle = alike.size() / 2;
    return failure(failed(search(*alike[middle])) ||
                   failed(searchAfterFirst(alike.take_front(middle + 1))) ||
                   failed(searchAfterFirst(alike.drop_front(middle))));
  }

  /// Whether the plan of `planned` is good for `other`. The memory of a
  /// pipeline is that of the group that needs most.
  bool canReuse(const PlannedGroup& planned, const PlannedGroup& other) const {
    return planned.holdsAsMuchAs(other) &&
           (goal_ == SearchGoal::Memory || other.holdsAsMuchAs(planned));
  }

  void reuse(const PlannedGroup& planned, PlannedGroup& other) {
    other.plan =
        compareProgramsOf(planned.program.module(), other.program.module())
            ->planOfSecond(*planned.plan);
    other.seconds = planned.seconds;
    --numLeft_;
  }

  LogicalResult search(PlannedGroup& group) {
    ModuleOp program = group.program.module();
    const double share = 1.0 / static_cast<double>(numLeft_--);
    FailureOr<search::SearchedPlan> searched =
        search::searchPlan(program, *group.mesh, device_, space_, goal_,
                           run_.part(share).withGap(kGapOfGroup));
    if (failed(searched)) return failure();
    if (goal_ == SearchGoal::Time)
      search::remarkUnproven(program, *searched, kGapOfGroup);
    for (const search::EntryCost& cost : searched->entries)
      group.seconds += cost.seconds();
    group.plan = std::move(searched->plan);
    return success();
  }

  const Device& device_;
  const SearchSpace space_;
  const SearchGoal goal_;
  const search::SearchRun& run_;
  size_t numLeft_ = 0;  // groups without a plan
};

}  // namespace

FailureOr<Plan> searchStages(ModuleOp module, const ProgramMeshes& meshes,
                             StagesOp stages, const Device& device,
                             SearchSpace space, SearchGoal goal,
                             const search::SearchRun& run) {
  llvm::SetVector<Attribute> names(stages.getGroups().begin(),
                                   stages.getGroups().end());
  FailureOr<std::optional<schedule::Table>> schedule = scheduleOf(module);
  if (failed(schedule)) return failure();
  std::vector<PlannedGroup> groups;
  for (Attribute attribute : names) {
    auto name = llvm::cast<ProgramMeshes::Name>(attribute);
    PlannedGroup& group = groups.emplace_back(
        PlannedGroup{GroupProgram(module, meshes, name), &meshes.mesh(name)});
    ModuleOp program = group.program.module();
    if (*schedule) markInFlight(program, name, stages, **schedule);
    group.held = heldBy(program);
  }
  if (failed(GroupsSearch(device, space, goal, run).search(groups)))
    return failure();
  Plan whole;
  for (const PlannedGroup& group : groups)
    group.program.addTo(whole, *group.plan);
  return whole;
}

}  // namespace sbp
