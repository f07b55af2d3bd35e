#include "passes/search/layout/Colours.h"

#include <algorithm>
#include <numeric>

namespace sbp::search {
namespace {

/// For every layout of `from`, the one of `to` when classes are merged.
Relabelling forget(const LayoutSpace& from, const LayoutSpace& to,
                   const std::vector<int64_t>& classes) {
  std::vector<Kind> kinds(from.numKinds());
  std::iota(kinds.begin(), kinds.end(), 0);
  return Relabelling(from, to, kinds, classes);
}

}  // namespace

std::vector<ColouredBlock::Colour> ColouredBlock::coloursOf(
    const PricedChain& priced, Layout from) {
  const LayoutSpace& space = priced.space();
  std::vector<Colour> colours;
  for (size_t c = 0; c < space.classes().size(); ++c)
    for (Kind kind = 0; kind < space.numKinds(); ++kind)
      if (space.count(from, c, kind) > 0)
        colours.push_back({static_cast<int64_t>(c), kind});
  return colours;
}

double ColouredBlock::numLayouts(const PricedChain& priced, Layout from) {
  const LayoutSpace& space = priced.space();
  double layouts = 1;
  for (const Colour& colour : coloursOf(priced, from)) {
    int64_t axes = space.count(from, colour.axisClass, colour.kind);
    // Axes among kinds: combinations with repetition.
    for (int64_t i = 1; i < space.numKinds(); ++i)
      layouts *= static_cast<double>(axes + i) / static_cast<double>(i);
  }
  return layouts;
}

ColouredBlock::ColouredBlock(const PricedChain& priced, int64_t block,
                             Layout from)
    : priced_(&priced),
      hasSkip_(priced.block(block).block().hasSkip),
      colours_(coloursOf(priced, from)) {
  const LayoutSpace& space = priced.space();
  std::vector<AxisClass> classes;
  std::vector<int64_t> plainClasses;
  std::vector<std::vector<int64_t>> counts;
  for (const Colour& colour : colours_) {
    AxisClass axes = space.classes()[colour.axisClass];
    axes.number = space.count(from, colour.axisClass, colour.kind);
    classes.push_back(axes);
    plainClasses.push_back(colour.axisClass);
    counts.emplace_back(space.numKinds(), 0)[colour.kind] = axes.number;
  }
  terrain_ = std::make_unique<Terrain>(priced.chain(), classes);
  start_ = terrain_->whole().layoutOf(counts);
  forgetWhole_ = forget(terrain_->whole(), space, plainClasses).table();
  std::vector<Layout> forgetSettled =
      forget(terrain_->settled(), priced.terrain().settled(), plainClasses)
          .table();

  // An op costs what its counts cost.
  const Walk& plainWalk = priced.block(block);
  OpCosts costs;
  for (int64_t op = 0; op < plainWalk.numOps(); ++op) {
    const std::vector<Layout>& plainOf =
        terrain_->leavesTerms(plainWalk.block().ops[op]) ? forgetWhole_
                                                         : forgetSettled;
    auto cost = std::make_shared<Values>(plainOf.size());
    for (size_t i = 0; i < plainOf.size(); ++i)
      (*cost)[i] = plainWalk.cost(op)[plainOf[i]];
    costs.push_back(std::move(cost));
  }
  walk_ = std::make_unique<Walk>(*terrain_, plainWalk.block(), std::move(costs),
                                 priced.moveTimes());
}

Values ColouredBlock::values() const {
  Values values(forgetWhole_.size(), kNever);
  values[start_] = 0;
  values = walk_->advance(std::move(values));
  if (hasSkip_) {
    const Redistribution& moves = terrain_->wholeMoves();
    Values skip = moves.distancesFrom(
        moves.tariff(priced_->chain().residualBytes, priced_->moveTimes()),
        start_);
    for (size_t i = 0; i < values.size(); ++i) values[i] += skip[i];
  }
  for (size_t i = 0; i < values.size(); ++i)
    values[i] += priced_->addition()[forgetWhole_[i]];
  return values;
}

Values ColouredBlock::row() const {
  Values row(priced_->space().numLayouts(), kNever);
  Values coloured = values();
  for (size_t i = 0; i < coloured.size(); ++i)
    row[forgetWhole_[i]] = std::min(row[forgetWhole_[i]], coloured[i]);
  return row;
}

}  // namespace sbp::search
