#include "passes/cut/UnitTransfers.h"

#include <map>
#include <utility>

#include "passes/boxing/GroupTransitions.h"
#include "passes/module/PlacedTypes.h"

namespace sbp {
namespace {

PlacedMeshes placedOn(const StageGroupList& groups) {
  PlacedMeshes meshes;
  meshes.machine = groups.machine;
  for (auto [name, mesh] : llvm::zip(groups.names, groups.meshes))
    meshes.byName.try_emplace(name.getValue(), mesh);
  return meshes;
}

/// Adds up the transfers of all tensors, by stage and by the unit with which
/// the next stage begins.
class Transfers {
 public:
  Transfers(const EntryUnits& units, const std::vector<UnitKindPrice>& prices,
            const StageGroupList& groups)
      : units_(units),
        prices_(prices),
        groups_(groups),
        transitions_(placedOn(groups)),
        seconds_(groups.ofStage.size() - 1,
                 std::vector<double>(units.numUnits(), 0)) {}

  /// Adds the transfers of `value`. The unit `maker` makes `value` in the
  /// placement of the type `made`, `times` times per step.
  void addMade(int64_t maker, Value value, Type made, int64_t times) {
    std::vector<int64_t> takers;
    for (int64_t unit = maker + 1; unit < units_.numUnits(); ++unit)
      if (units_.indexIn(unit, value) >= 0) takers.push_back(unit);
    add(
        maker, made, takers,
        [&](int64_t unit) {
          return takenBy(unit, units_.indexIn(unit, value));
        },
        times, units_.hasGradient(value));
  }

  /// Adds the transfers of a parameter that several units read.
  void addParameter(StringRef name, const ParameterReaders& readers) {
    std::vector<int64_t> others(readers.units.begin() + 1, readers.units.end());
    auto typeIn = [&](int64_t unit) {
      return takenBy(unit, indexOf(unit, name));
    };
    add(readers.units.front(), typeIn(readers.units.front()), others, typeIn,
        /*times=*/1, readers.isTrained);
  }

  std::vector<std::vector<double>> take() { return std::move(seconds_); }

 private:
  RankedTensorType takenBy(int64_t unit, int64_t index) const {
    return prices_[units_.units()[unit].kind].operands[index].type;
  }

  int64_t indexOf(int64_t unit, StringRef parameter) const {
    for (auto [position, operand] :
         llvm::enumerate(units_.units()[unit].operands))
      if (auto name = parameterOf(operand);
          name && name.getValue() == parameter)
        return static_cast<int64_t>(position);
    return -1;
  }

  /// Adds the transfers of a tensor. Across each cut the tensor goes to the
  /// first of `takers` after the cut.
  void add(int64_t maker, Type made, ArrayRef<int64_t> takers,
           llvm::function_ref<RankedTensorType(int64_t)> typeIn, int64_t times,
           bool hasGradient) {
    int64_t begin = maker + 1;
    for (int64_t taker : takers) {
      const std::vector<double>& there = secondsOf(made, typeIn(taker));
      for (size_t stage = 0; stage < seconds_.size(); ++stage)
        for (int64_t unit = begin; unit <= taker; ++unit)
          seconds_[stage][unit] +=
              there[stage] * static_cast<double>(times) * (hasGradient ? 2 : 1);
      begin = std::max(begin, taker + 1);
    }
  }

  /// Returns the seconds of a transfer from each stage but the last to the next
  /// one. The transfer of the gradient back is assumed to take as long: the
  /// gradient has the placement of its tensor, but is whole where the tensor is
  /// Partial.
  const std::vector<double>& secondsOf(Type from, Type to) {
    std::vector<double>& known =
        known_[{from.getAsOpaquePointer(), to.getAsOpaquePointer()}];
    if (!known.empty()) return known;
    auto tensor = llvm::cast<RankedTensorType>(from);
    for (size_t stage = 0; stage < seconds_.size(); ++stage)
      known.push_back(transitions_.seconds(
          on(stage, from), on(stage + 1, to), tensor.getShape(),
          elementBytes(tensor.getElementType())));
    return known;
  }

  /// Returns the placement of `type`, on the group of `stage`.
  NdSbpAttr on(size_t stage, Type type) const {
    return NdSbpAttr::get(type.getContext(),
                          groups_.names[groups_.ofStage[stage]],
                          NdSbpAttr::of(type).getComponents());
  }

  const EntryUnits& units_;
  const std::vector<UnitKindPrice>& prices_;
  const StageGroupList& groups_;
  GroupTransitions transitions_;
  std::map<std::pair<const void*, const void*>, std::vector<double>> known_;
  std::vector<std::vector<double>> seconds_;
};

}  // namespace

std::vector<std::vector<double>> transfersOf(
    const EntryUnits& units, const std::vector<UnitKindPrice>& prices,
    const StageGroupList& groups, int64_t microBatches) {
  Transfers transfers(units, prices, groups);
  for (auto [index, unit] : llvm::enumerate(units.units()))
    for (auto [result, tensor] :
         llvm::zip(unit.results, prices[unit.kind].results))
      transfers.addMade(static_cast<int64_t>(index), result, tensor.type,
                        microBatches);
  for (const auto& [name, readers] : units.parameters())
    transfers.addParameter(name, readers);
  return transfers.take();
}

}  // namespace sbp
