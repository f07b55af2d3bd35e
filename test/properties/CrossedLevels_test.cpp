// Tests that a move between two groups is priced by the outermost level that a
// message of it crosses when it runs.
//
// A machine of three levels is divided into groups of a random shape. A tensor
// moves between two of them, from a random placement to a random placement. The
// ranks that exchange data are those that the runtime chooses.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dialects/sbp/Sbp.h"
#include "dialects/support/LLVM.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/boxing/GroupTransitions.h"
#include "passes/cut/GroupShape.h"
#include "passes/cut/StageGroups.h"
#include "passes/module/PlacedTypes.h"
#include "runtime/communication/GroupTransfer.h"
#include "runtime/plan/Plan.h"
#include "test/properties/Choices.h"

namespace sbp::properties {
namespace {

constexpr uint64_t kNumSeeds = 400;

/// Extents of the tensor. Each part is of the same size, and none is empty.
constexpr int64_t kShape[] = {64, 64};

Mesh randomMachine(Choices& choices) {
  Mesh machine;
  for (int64_t level = 0; level < 3; ++level)
    machine.axes.push_back({fmt::format("level{}", level),
                            choices.pick(std::vector<int64_t>{1, 2, 4}),
                            /*latencySeconds=*/1e-6, /*secondsPerByte=*/1e-9,
                            /*prices=*/{}, level});
  return machine;
}

GroupShape randomShape(const Mesh& machine, Choices& choices) {
  GroupShape shape;
  for (const MeshAxis& axis : machine.axes) {
    std::vector<int64_t> divisors;
    for (int64_t count = 1; count <= axis.size; count *= 2)
      divisors.push_back(count);
    shape.counts.push_back(choices.pick(divisors));
  }
  return shape;
}

Placement randomPlacement(const Mesh& group, Choices& choices) {
  Placement placement;
  for (size_t axis = 0; axis < group.axes.size(); ++axis)
    placement.push_back(choices.chance(40)
                            ? Component::broadcast()
                            : Component::split(choices.below(2)));
  return placement;
}

plan::Group planned(const Mesh& mesh) {
  plan::Group group;
  for (const MeshAxis& axis : mesh.axes)
    group.axes.push_back({axis.name, axis.size});
  group.ranks.assign(mesh.ranks.begin(), mesh.ranks.end());
  return group;
}

plan::Tensor planned(const Placement& placement, int64_t group) {
  plan::Tensor tensor;
  tensor.shape.assign(std::begin(kShape), std::end(kShape));
  tensor.group = group;
  for (const Component& component : placement) {
    tensor.placement.emplace_back();
    if (!component.isSplit()) continue;
    tensor.placement.back().kind = plan::Component::Kind::kSplit;
    tensor.placement.back().dim = component.dim();
  }
  return tensor;
}

/// Returns the outermost level that a message of `transfer` crosses; the
/// innermost one if there is none.
int64_t levelCrossed(const plan::Transfer& transfer,
                     const std::vector<plan::Group>& groups,
                     const Mesh& machine) {
  auto level = static_cast<int64_t>(machine.axes.size()) - 1;
  for (int64_t rank = 0; rank < machine.numRanks(); ++rank)
    for (const communication::Parcel& parcel :
         communication::prepareTransfer(transfer, groups, rank).received)
      for (int64_t outer = 0; outer < level; ++outer)
        if (machine.coordinatesOf(rank)[outer] !=
            machine.coordinatesOf(parcel.peer)[outer])
          level = outer;
  return level;
}

TEST(CrossedLevelsTest, AMoveIsPricedByTheOutermostLevelThatAMessageCrosses) {
  mlir::MLIRContext context;
  context.loadDialect<SbpDialect>();
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Choices choices(seed);
    const Mesh machine = randomMachine(choices);
    const GroupShape shape = randomShape(machine, choices);
    const std::vector<Mesh> meshes = divideIntoGroups(machine, shape);
    if (meshes.size() < 2) continue;
    const int64_t from = choices.below(meshes.size());
    const int64_t to =
        (from + 1 + choices.below(meshes.size() - 1)) % meshes.size();
    const Placement departure = randomPlacement(meshes[from], choices);
    const Placement arrival = randomPlacement(meshes[to], choices);
    const std::vector<plan::Group> groups = {planned(meshes[from]),
                                             planned(meshes[to])};
    const plan::Transfer transfer{planned(departure, 0), planned(arrival, 1),
                                  /*times=*/1};
    const auto front = mlir::FlatSymbolRefAttr::get(&context, "front");
    const auto back = mlir::FlatSymbolRefAttr::get(&context, "back");
    PlacedMeshes placed;
    placed.machine = machine;
    placed.byName = {{"front", meshes[from]}, {"back", meshes[to]}};
    const Move move = GroupTransitions(placed).move(
        NdSbpAttr::get(&context, front, departure),
        NdSbpAttr::get(&context, back, arrival), kShape, 4);
    EXPECT_EQ(move.level, levelCrossed(transfer, groups, machine))
        << "seed " << seed << ": groups " << from << " and " << to << " of "
        << shape.str() << ", from " << stringOf(departure) << " to "
        << stringOf(arrival);
  }
}

}  // namespace
}  // namespace sbp::properties
