#include "passes/boxing/GroupTransitions.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "passes/boxing/Cost.h"

namespace sbp {
namespace {

/// Largest number of placements that are tried at either end of a crossing,
/// since each takes a search on its group. If there would be more, only
/// placements with the same component on all axes that may change are tried.
constexpr size_t kMaxTried = 128;

using Placements = std::vector<Placement>;

/// Returns `pattern` with each of `axes` Broadcast or split along any
/// dimension, in all combinations. If there would be more than kMaxTried,
/// returns only the combinations in which all `axes` have the same component.
Placements allOn(ArrayRef<int64_t> axes, const Placement& pattern,
                 size_t numDims) {
  Placements all = {pattern};
  for (int64_t axis : axes) {
    Placements more;
    for (const Placement& placement : all)
      for (size_t choice = 0; choice <= numDims; ++choice) {
        more.push_back(placement);
        more.back()[axis] =
            choice == 0 ? Component::broadcast() : Component::split(choice - 1);
      }
    all = std::move(more);
    if (all.size() > kMaxTried) break;
  }
  if (all.size() <= kMaxTried) return all;
  // Too many: give all axes the same component.
  all.clear();
  for (size_t choice = 0; choice <= numDims; ++choice) {
    all.push_back(pattern);
    for (int64_t axis : axes)
      all.back()[axis] =
          choice == 0 ? Component::broadcast() : Component::split(choice - 1);
  }
  return all;
}

bool isPartial(ArrayRef<Component> placement) {
  return llvm::any_of(placement,
                      [](const Component& c) { return c.isPartial(); });
}

/// Returns the placements without Partial components in which a tensor that
/// lies as `from` may leave its group.
Placements departuresOf(ArrayRef<Component> from, size_t numDims) {
  SmallVector<int64_t> terms;
  for (auto [axis, component] : llvm::enumerate(from))
    if (component.isPartial()) terms.push_back(axis);
  return allOn(terms, Placement(from), numDims);
}

/// Returns the placements in which a tensor that is to lie as `to` may arrive.
Placements arrivalsFor(ArrayRef<Component> to, const Mesh& mesh,
                       size_t numDims) {
  SmallVector<int64_t> axes;
  for (auto [axis, meshAxis] : llvm::enumerate(mesh.axes))
    if (meshAxis.size > 1) axes.push_back(axis);
  Placements all = allOn(axes, Placement(mesh.axes.size()), numDims);
  Placement wanted(to);
  if (!isPartial(wanted)) all.insert(all.begin(), wanted);
  return all;
}

/// Returns, per dimension, the interval of indices that the rank at position
/// `place` of `mesh` has.
std::vector<Interval> boxOf(ArrayRef<int64_t> shape,
                            ArrayRef<Component> placement, const Mesh& mesh,
                            int64_t place) {
  auto coordinates = mesh.coordinatesOf(place);
  std::vector<Interval> box;
  for (auto [dim, extent] : llvm::enumerate(shape))
    box.push_back(partOf(extent, dim, placement, mesh, coordinates));
  return box;
}

double numElements(ArrayRef<Interval> box) {
  double elements = 1;
  for (const Interval& interval : box)
    elements *= static_cast<double>(std::max<int64_t>(interval.size(), 0));
  return elements;
}

double numShared(ArrayRef<Interval> left, ArrayRef<Interval> right) {
  double elements = 1;
  for (auto [a, b] : llvm::zip(left, right))
    elements *= static_cast<double>(std::max<int64_t>(
        std::min(a.end, b.end) - std::max(a.begin, b.begin), 0));
  return elements;
}

bool haveEqualAxes(const Mesh& left, const Mesh& right) {
  return llvm::equal(left.axes, right.axes,
                     [](const MeshAxis& a, const MeshAxis& b) {
                       return a.size == b.size && a.level == b.level;
                     });
}

/// Whether, in a move between groups whose axes are those of `mesh`, some rank
/// fetches from a rank with another coordinate along `axis`. There is none if
/// the source has the same elements at all coordinates, or if the dimension
/// that it splits along `axis` is split by the target along the same axes up to
/// `axis`, so that a rank wants a part of what the same position has.
bool leavesPosition(int64_t axis, ArrayRef<Component> departure,
                    ArrayRef<Component> arrival, const Mesh& mesh) {
  if (!departure[axis].isSplit()) return false;
  for (int64_t outer = 0; outer <= axis; ++outer)
    if (mesh.axes[outer].size > 1 &&
        departure[outer].isSplitAlong(departure[axis].dim()) !=
            arrival[outer].isSplitAlong(departure[axis].dim()))
      return true;
  return false;
}

}  // namespace

GroupTransitions::GroupTransitions(const PlacedMeshes& meshes)
    : machine_(meshes.machine) {
  for (const auto& [name, mesh] : meshes.byName)
    tables_.try_emplace(name, std::make_unique<TransitionTable>(mesh));
}

int64_t GroupTransitions::levelBetween(Name from, Name to) const {
  const auto [known, isNew] =
      levelsBetween_.try_emplace({from.getValue(), to.getValue()}, 0);
  if (!isNew) return known->second;
  const Mesh& source = table(from).mesh();
  const Mesh& target = table(to).mesh();
  const bool areEqual = haveEqualAxes(source, target);
  auto level = static_cast<int64_t>(machine_.axes.size()) - 1;
  for (const Mesh* mesh : {&source, &target})
    for (int64_t place = 0; place < mesh->numRanks(); ++place) {
      auto here = machine_.coordinatesOf(mesh->rankAt(place));
      auto other = machine_.coordinatesOf(source.rankAt(areEqual ? place : 0));
      for (int64_t outer = 0; outer < level; ++outer)
        if (here[outer] != other[outer]) level = outer;
    }
  return known->second = level;
}

const MeshAxis& GroupTransitions::levelCrossed(
    Name from, ArrayRef<Component> departure, Name to,
    ArrayRef<Component> arrival) const {
  const Mesh& source = table(from).mesh();
  int64_t level = levelBetween(from, to);
  if (haveEqualAxes(source, table(to).mesh()))
    for (auto [axis, meshAxis] : llvm::enumerate(source.axes))
      if (meshAxis.level < level && meshAxis.size > 1 &&
          leavesPosition(axis, departure, arrival, source))
        level = meshAxis.level;
  return machine_.axes[level];
}

Move GroupTransitions::move(Name from, ArrayRef<Component> departure, Name to,
                            ArrayRef<Component> arrival,
                            ArrayRef<int64_t> shape,
                            int64_t elementBytes) const {
  const Mesh& source = table(from).mesh();
  const Mesh& target = table(to).mesh();
  double most = 0, all = 0;
  for (int64_t place = 0; place < target.numRanks(); ++place) {
    auto wanted = boxOf(shape, arrival, target, place);
    double fetched = numElements(wanted);
    if (int64_t own = source.positionOf(target.rankAt(place)); own >= 0)
      fetched -= numShared(wanted, boxOf(shape, departure, source, own));
    most = std::max(most, fetched);
    all += fetched;
  }
  const MeshAxis& link = levelCrossed(from, departure, to, arrival);
  Move move;
  move.level = link.level;
  // A rank that fetches nothing still waits for the ranks that do, so the move
  // is free only if every rank has its part already.
  if (all == 0 && needsNoMove(from, departure, to, arrival, shape)) return move;
  auto size = static_cast<double>(elementBytes);
  double busiest = std::max(most, all / static_cast<double>(source.numRanks()));
  move.bytes = all * size;
  move.busiestRankBytes = busiest * size;
  move.seconds =
      link.latencySeconds + link.secondsPerByte * move.busiestRankBytes;
  return move;
}

Crossing GroupTransitions::crossing(NdSbpAttr from, NdSbpAttr to,
                                    ArrayRef<int64_t> shape,
                                    int64_t elementBytes) const {
  TransitionTable& source = table(from.getMesh());
  TransitionTable& target = table(to.getMesh());
  Crossing best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (const Placement& departure :
       departuresOf(from.getComponents(), shape.size())) {
    double before =
        source.cost(from.getComponents(), departure, shape, elementBytes);
    if (before >= best.seconds) continue;
    for (const Placement& arrival :
         arrivalsFor(to.getComponents(), target.mesh(), shape.size())) {
      double move = before + this->move(from.getMesh(), departure, to.getMesh(),
                                        arrival, shape, elementBytes)
                                 .seconds;
      if (move >= best.seconds) continue;
      double seconds =
          move + target.cost(arrival, to.getComponents(), shape, elementBytes);
      if (seconds < best.seconds) best = {departure, arrival, seconds};
    }
  }
  return best;
}

double GroupTransitions::seconds(NdSbpAttr from, NdSbpAttr to,
                                 ArrayRef<int64_t> shape, int64_t elementBytes,
                                 Bucketing bucketing) const {
  if (from.getMesh() == to.getMesh())
    return table(from.getMesh())
        .of(bucketing)
        .cost(from.getComponents(), to.getComponents(), shape, elementBytes);
  return crossing(from, to, shape, elementBytes).seconds;
}

Bucketing GroupTransitions::bucketingOf(BoxOp box) const {
  if (!box.getBucketed()) return Bucketing::alone();
  auto function = box->getParentOfType<mlir::func::FuncOp>();
  return bucketings_.try_emplace(function, function)
      .first->second.of(box.getInput());
}

SmallVector<SizedStep, 3> GroupTransitions::steps(BoxOp box) const {
  auto type = llvm::cast<RankedTensorType>(box.getResult().getType());
  const int64_t size = elementBytes(type.getElementType());
  NdSbpAttr from = NdSbpAttr::of(box.getInput().getType());
  NdSbpAttr to = NdSbpAttr::of(type);
  TransitionTable& transitions = table(to.getMesh()).of(bucketingOf(box));
  auto bytesOf = [&](ArrayRef<Component> placement) {
    return largestLocalBytes(type.getShape(), size, placement,
                             transitions.mesh());
  };
  SmallVector<SizedStep, 3> steps;
  int64_t before = bytesOf(from.getComponents());
  for (const BoxingStep& step :
       transitions
           .path(from.getComponents(), to.getComponents(), type.getShape(),
                 size)
           .steps) {
    steps.push_back({step, before, bytesOf(step.result)});
    before = steps.back().bytesAfter;
  }
  return steps;
}

bool GroupTransitions::needsNoMove(NdSbpAttr from, NdSbpAttr to,
                                   ArrayRef<int64_t> shape) const {
  return needsNoMove(from.getMesh(), from.getComponents(), to.getMesh(),
                     to.getComponents(), shape);
}

bool GroupTransitions::needsNoMove(Name from, ArrayRef<Component> departure,
                                   Name to, ArrayRef<Component> arrival,
                                   ArrayRef<int64_t> shape) const {
  const Mesh& source = table(from).mesh();
  const Mesh& target = table(to).mesh();
  for (int64_t place = 0; place < target.numRanks(); ++place) {
    int64_t own = source.positionOf(target.rankAt(place));
    if (own < 0) return false;
    auto wanted = boxOf(shape, arrival, target, place);
    auto held = boxOf(shape, departure, source, own);
    for (auto [a, b] : llvm::zip(wanted, held))
      if (a.begin != b.begin || a.end != b.end) return false;
  }
  return true;
}

}  // namespace sbp
