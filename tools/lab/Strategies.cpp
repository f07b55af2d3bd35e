#include "tools/lab/Strategies.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "passes/search/refinement/ExactSearch.h"

namespace sbp::search {
namespace {

/// Returns the kind in the result of `op` of an axis that splits tensors.
/// Products come in pairs: the first is split by columns, the second by rows.
Kind tensorKind(const Op& op, const LayoutSpace& space) {
  if (op.name == "projection" || op.name == "down") return space.partial();
  if (op.name == "layer norm") return space.broadcast();
  return static_cast<Kind>(space.numDims() - 1);
}

/// Whether, in each class, `tensorAxes` axes split tensors and the others split
/// samples or positions.
bool isMegatron(const Op& op, const std::vector<int64_t>& tensorAxes,
                const LayoutSpace& space, Layout layout) {
  Kind tensor = tensorKind(op, space);
  auto features = static_cast<Kind>(space.numDims() - 1);
  for (size_t c = 0; c < space.classes().size(); ++c)
    for (Kind kind = features; kind < space.numKinds(); ++kind)
      if (space.count(layout, c, kind) != (kind == tensor ? tensorAxes[c] : 0))
        return false;
  return true;
}

Ticks price(Chain chain, const std::vector<int64_t>& tensorAxes,
            const std::vector<Storage>& storages) {
  auto restrictBlock = [&](Block& block) {
    for (Op& op : block.ops) {
      if (op.parameters > 0) op.storages = storages;
      op.allows = [shape = op, tensorAxes](const LayoutSpace& space,
                                           Layout layout) {
        return isMegatron(shape, tensorAxes, space, layout);
      };
    }
  };
  restrictBlock(chain.head);
  restrictBlock(chain.tail);
  for (Block& block : chain.blocks) restrictBlock(block);
  PricedChain priced(chain, Memory::Ignored);
  return ExactSearch(priced).solve().optimum;
}

}  // namespace

std::vector<StrategyCost> priceStrategies(const Chain& gpt) {
  std::vector<AxisClass> classes = axisClassesOf(gpt.levels);
  std::vector<size_t> bySpeed(classes.size());
  std::iota(bySpeed.begin(), bySpeed.end(), 0);
  std::sort(bySpeed.begin(), bySpeed.end(), [&](size_t a, size_t b) {
    double betaOfA = gpt.levels[classes[a].level].link.beta;
    double betaOfB = gpt.levels[classes[b].level].link.beta;
    return std::tie(betaOfA, b) < std::tie(betaOfB, a);
  });
  const std::vector<Storage> any(std::begin(kStorages), std::end(kStorages));
  std::vector<int64_t> none(classes.size(), 0);
  StrategyCost dataParallel{"data parallel", price(gpt, none, any), 0};
  StrategyCost zero{"ZeRO-3", price(gpt, none, {Storage::Z3}), 0};
  StrategyCost megatron{"Megatron 2-D", dataParallel.cost, 0};
  // Without any axes; on one device this is final.
  StrategyCost tensorParallel{"tensor parallel", dataParallel.cost, 0};
  std::vector<int64_t> tensorAxes = none;
  int64_t axes = 0;
  for (size_t c : bySpeed)
    for (int64_t i = 0; i < classes[c].number; ++i) {
      ++tensorAxes[c];
      ++axes;
      Ticks cost = price(gpt, tensorAxes, any);
      if (cost < megatron.cost) megatron = {"Megatron 2-D", cost, axes};
      tensorParallel = {"tensor parallel", cost, axes};
    }
  return {dataParallel, zero, megatron, tensorParallel};
}

}  // namespace sbp::search
