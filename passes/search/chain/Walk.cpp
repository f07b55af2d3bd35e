#include "passes/search/chain/Walk.h"

#include <algorithm>
#include <numeric>

namespace sbp::search {
namespace {

/// Returns the values of the settled layouts only.
Values settle(const Values& whole, const std::vector<Layout>& settledInWhole) {
  Values settled(settledInWhole.size());
  for (size_t i = 0; i < settled.size(); ++i)
    settled[i] = whole[settledInWhole[i]];
  return settled;
}

/// Returns values of all layouts; those with Partial are never.
Values unsettle(const Values& settled,
                const std::vector<Layout>& settledInWhole, int64_t numLayouts) {
  Values whole(numLayouts, kNever);
  for (size_t i = 0; i < settled.size(); ++i)
    whole[settledInWhole[i]] = settled[i];
  return whole;
}

std::vector<Kind> sameKinds(const LayoutSpace& space) {
  std::vector<Kind> kinds(space.numKinds());
  std::iota(kinds.begin(), kinds.end(), 0);
  return kinds;
}

}  // namespace

Values onlyAt(Layout layout, size_t numLayouts) {
  Values values(numLayouts, kNever);
  values[layout] = 0;
  return values;
}

Layout cheapestOf(const Values& values) {
  return static_cast<Layout>(std::min_element(values.begin(), values.end()) -
                             values.begin());
}

Terrain::Terrain(const Chain& chain, std::vector<AxisClass> classes)
    : whole_(chain.levels, classes, chain.numDims(), Terms::Allowed),
      settled_(chain.levels, classes, chain.numDims(), Terms::None),
      wholeMoves_(whole_),
      settledMoves_(settled_),
      settledInWhole_(
          Relabelling(settled_, whole_, sameKinds(settled_), sameClasses())
              .table()),
      settledOf_(whole_.numLayouts(), -1) {
  for (size_t i = 0; i < settledInWhole_.size(); ++i)
    settledOf_[settledInWhole_[i]] = static_cast<Layout>(i);
}

std::vector<int64_t> Terrain::sameClasses() const {
  std::vector<int64_t> classes(whole_.classes().size());
  std::iota(classes.begin(), classes.end(), 0);
  return classes;
}

bool Terrain::leavesTerms(const Op& op) const {
  for (const Loop& loop : op.loops)
    if (loop.leaves == whole_.partial()) return true;
  return false;
}

const std::vector<Layout>& Terrain::reads(const Op& op) {
  const LayoutSpace& space = resultSpace(op);
  // A kind that no loop leaves costs never, so it may read anything.
  std::vector<Kind> kinds(space.numKinds(), whole_.broadcast());
  for (const Loop& loop : op.loops) kinds[loop.leaves] = loop.reads;
  auto known = reads_.find(kinds);
  if (known == reads_.end())
    known =
        reads_
            .emplace(kinds, Relabelling(space, settled_, kinds, sameClasses()))
            .first;
  return known->second.table();
}

Walk::Walk(Terrain& terrain, const Block& block, OpCosts costs, double times)
    : terrain_(&terrain), block_(&block), costs_(std::move(costs)) {
  const std::vector<Op>& ops = block.ops;
  for (size_t leg = 0; leg <= ops.size(); ++leg) {
    double bytes = leg < ops.size() ? ops[leg].readBytes : ops.back().madeBytes;
    legs_.push_back({leg == 0 || terrain.leavesTerms(ops[leg - 1]),
                     leg == ops.size(),
                     terrain.wholeMoves().tariff(bytes, times),
                     terrain.settledMoves().tariff(bytes, times)});
  }
  for (const Op& op : ops) reads_.push_back(&terrain.reads(op));
}

Values Walk::takeLeg(int64_t leg, Values values) const {
  const Leg& way = legs_[leg];
  if (way.toTerms) {
    if (!way.fromTerms)
      values = unsettle(values, terrain_->settledInWhole(),
                        terrain_->whole().numLayouts());
    terrain_->wholeMoves().relax(way.whole, values);
    return values;
  }
  if (way.fromTerms) return takeOutOfTerms(leg, values);
  terrain_->settledMoves().relax(way.settled, values);
  return values;
}

Values Walk::takeOutOfTerms(int64_t leg, Values& values) const {
  // The first two phases remove terms; the phases after them make none.
  terrain_->wholeMoves().relax(legs_[leg].whole, values, Phase::Slice,
                               Phase::ReduceScatter);
  Values settled = settle(values, terrain_->settledInWhole());
  terrain_->settledMoves().relax(legs_[leg].settled, settled, Phase::Exchange);
  return settled;
}

Values Walk::takeLegBack(int64_t leg, Values values) const {
  const Leg& way = legs_[leg];
  const std::vector<Layout>& inWhole = terrain_->settledInWhole();
  if (way.toTerms) {
    terrain_->wholeMoves().relaxBackward(way.whole, values);
    return way.fromTerms ? values : settle(values, inWhole);
  }
  terrain_->settledMoves().relaxBackward(
      way.settled, values, way.fromTerms ? Phase::Exchange : Phase::Slice);
  if (way.fromTerms) {
    values = unsettle(values, inWhole, terrain_->whole().numLayouts());
    terrain_->wholeMoves().relaxBackward(way.whole, values, Phase::Slice,
                                         Phase::ReduceScatter);
  }
  return values;
}

Values Walk::run(int64_t op, const Values& operand) const {
  const Values& cost = *costs_[op];
  const std::vector<Layout>& reads = *reads_[op];
  Values result(cost.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = operand[reads[i]] + cost[i];
  return result;
}

Values Walk::runBack(int64_t op, const Values& result) const {
  const Values& cost = *costs_[op];
  const std::vector<Layout>& reads = *reads_[op];
  Values operand(terrain_->settled().numLayouts(), kNever);
  for (size_t i = 0; i < result.size(); ++i) {
    Ticks reached = result[i] + cost[i];
    Ticks& least = operand[reads[i]];
    least = reached < least ? reached : least;
  }
  return operand;
}

Values Walk::advance(Values values) const {
  for (int64_t op = 0; op < numOps(); ++op)
    values = run(op, takeLeg(op, std::move(values)));
  return takeLeg(numOps(), std::move(values));
}

Values Walk::retreat(Values values) const {
  values = takeLegBack(numOps(), std::move(values));
  for (int64_t op = numOps() - 1; op >= 0; --op)
    values = takeLegBack(op, runBack(op, values));
  return values;
}

Ticks Walk::costInWhole(int64_t op, Layout result) const {
  if (terrain_->leavesTerms(block_->ops[op])) return (*costs_[op])[result];
  Layout settled = terrain_->settledOf(result);
  return settled < 0 ? kNever : (*costs_[op])[settled];
}

Values Walk::resultsOf(int64_t op, const Values& whole) const {
  return terrain_->leavesTerms(block_->ops[op])
             ? whole
             : settle(whole, terrain_->settledInWhole());
}

Values Walk::leftOnLeg(int64_t leg, const Values& values) const {
  const Leg& way = legs_[leg];
  if (way.toTerms) {
    Values left = values;
    terrain_->wholeMoves().relaxBackward(way.whole, left);
    return left;
  }
  Values left = takeLegBack(leg, values);
  return way.fromTerms ? left
                       : unsettle(left, terrain_->settledInWhole(),
                                  terrain_->whole().numLayouts());
}

std::vector<Values> Walk::leftOnLegs(int64_t first, int64_t last,
                                     Values values) const {
  std::vector<Values> left(last - first + 1);
  for (int64_t leg = last; leg >= first; --leg)
    left[leg - first] = leftOnLeg(
        leg, leg == last ? values
                         : runBack(leg, resultsOf(leg, left[leg + 1 - first])));
  return left;
}

}  // namespace sbp::search
