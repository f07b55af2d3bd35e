#include "passes/search/chain/BlockOperator.h"

#include <algorithm>
#include <numeric>

namespace sbp::search {
namespace {

/// Returns the values of the operand layouts only.
Values inOperandSpace(const Values& whole,
                      const std::vector<Layout>& operandInWhole) {
  Values operand(operandInWhole.size());
  for (size_t i = 0; i < operand.size(); ++i)
    operand[i] = whole[operandInWhole[i]];
  return operand;
}

/// Returns values of all layouts; those with Partial are never.
Values inWholeSpace(const Values& operand,
                    const std::vector<Layout>& operandInWhole,
                    int64_t numLayouts) {
  Values whole(numLayouts, kNever);
  for (size_t i = 0; i < operand.size(); ++i)
    whole[operandInWhole[i]] = operand[i];
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

ChainSpaces::ChainSpaces(const Chain& chain, std::vector<AxisClass> classes)
    : whole_(chain.levels, classes, chain.numDims(), Terms::Allowed),
      operand_(chain.levels, classes, chain.numDims(), Terms::None),
      wholeMoves_(whole_),
      operandMoves_(operand_),
      operandInWhole_(
          Relabelling(operand_, whole_, sameKinds(operand_), sameClasses())
              .table()),
      operandOf_(whole_.numLayouts(), -1) {
  for (size_t i = 0; i < operandInWhole_.size(); ++i)
    operandOf_[operandInWhole_[i]] = static_cast<Layout>(i);
}

std::vector<int64_t> ChainSpaces::sameClasses() const {
  std::vector<int64_t> classes(whole_.classes().size());
  std::iota(classes.begin(), classes.end(), 0);
  return classes;
}

bool ChainSpaces::leavesTerms(const Op& op) const {
  for (const Loop& loop : op.loops)
    if (loop.leaves == whole_.partial()) return true;
  return false;
}

const std::vector<Layout>& ChainSpaces::reads(const Op& op) {
  const LayoutSpace& space = resultSpace(op);
  // A kind that no loop leaves costs never, so it may read anything.
  std::vector<Kind> kinds(space.numKinds(), whole_.broadcast());
  for (const Loop& loop : op.loops) kinds[loop.leaves] = loop.reads;
  auto known = reads_.find(kinds);
  if (known == reads_.end())
    known =
        reads_
            .emplace(kinds, Relabelling(space, operand_, kinds, sameClasses()))
            .first;
  return known->second.table();
}

BlockOperator::BlockOperator(ChainSpaces& spaces, const Block& block,
                             OpCosts costs, double times)
    : spaces_(&spaces), block_(&block), costs_(std::move(costs)) {
  const std::vector<Op>& ops = block.ops;
  for (size_t stage = 0; stage <= ops.size(); ++stage) {
    double bytes =
        stage < ops.size() ? ops[stage].readBytes : ops.back().madeBytes;
    stages_.push_back({stage == 0 || spaces.leavesTerms(ops[stage - 1]),
                       stage == ops.size(),
                       spaces.wholeMoves().tariff(bytes, times),
                       spaces.operandMoves().tariff(bytes, times)});
  }
  for (const Op& op : ops) reads_.push_back(&spaces.reads(op));
}

Values BlockOperator::redistribute(int64_t stage, Values values) const {
  const Stage& way = stages_[stage];
  if (way.toTerms) {
    if (!way.fromTerms)
      values = inWholeSpace(values, spaces_->operandInWhole(),
                            spaces_->whole().numLayouts());
    spaces_->wholeMoves().relax(way.whole, values);
    return values;
  }
  if (way.fromTerms) return takeOutOfTerms(stage, values);
  spaces_->operandMoves().relax(way.operand, values);
  return values;
}

Values BlockOperator::takeOutOfTerms(int64_t stage, Values& values) const {
  // The first two phases remove terms; the phases after them make none.
  spaces_->wholeMoves().relax(stages_[stage].whole, values, Phase::Slice,
                              Phase::ReduceScatter);
  Values operand = inOperandSpace(values, spaces_->operandInWhole());
  spaces_->operandMoves().relax(stages_[stage].operand, operand,
                                Phase::Exchange);
  return operand;
}

Values BlockOperator::redistributeBack(int64_t stage, Values values) const {
  const Stage& way = stages_[stage];
  const std::vector<Layout>& inWhole = spaces_->operandInWhole();
  if (way.toTerms) {
    spaces_->wholeMoves().relaxBackward(way.whole, values);
    return way.fromTerms ? values : inOperandSpace(values, inWhole);
  }
  spaces_->operandMoves().relaxBackward(
      way.operand, values, way.fromTerms ? Phase::Exchange : Phase::Slice);
  if (way.fromTerms) {
    values = inWholeSpace(values, inWhole, spaces_->whole().numLayouts());
    spaces_->wholeMoves().relaxBackward(way.whole, values, Phase::Slice,
                                        Phase::ReduceScatter);
  }
  return values;
}

Values BlockOperator::run(int64_t op, const Values& operand) const {
  const Values& cost = *costs_[op];
  const std::vector<Layout>& reads = *reads_[op];
  Values result(cost.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = operand[reads[i]] + cost[i];
  return result;
}

Values BlockOperator::runBack(int64_t op, const Values& result) const {
  const Values& cost = *costs_[op];
  const std::vector<Layout>& reads = *reads_[op];
  Values operand(spaces_->operand().numLayouts(), kNever);
  for (size_t i = 0; i < result.size(); ++i) {
    Ticks reached = result[i] + cost[i];
    Ticks& least = operand[reads[i]];
    least = reached < least ? reached : least;
  }
  return operand;
}

Values BlockOperator::advance(Values values) const {
  for (int64_t op = 0; op < numOps(); ++op)
    values = run(op, redistribute(op, std::move(values)));
  return redistribute(numOps(), std::move(values));
}

Values BlockOperator::retreat(Values values) const {
  values = redistributeBack(numOps(), std::move(values));
  for (int64_t op = numOps() - 1; op >= 0; --op)
    values = redistributeBack(op, runBack(op, values));
  return values;
}

Ticks BlockOperator::costInWhole(int64_t op, Layout result) const {
  if (spaces_->leavesTerms(block_->ops[op])) return (*costs_[op])[result];
  Layout operand = spaces_->operandOf(result);
  return operand < 0 ? kNever : (*costs_[op])[operand];
}

Values BlockOperator::resultsOf(int64_t op, const Values& whole) const {
  return spaces_->leavesTerms(block_->ops[op])
             ? whole
             : inOperandSpace(whole, spaces_->operandInWhole());
}

Values BlockOperator::costToGoAt(int64_t stage, const Values& values) const {
  const Stage& way = stages_[stage];
  if (way.toTerms) {
    Values left = values;
    spaces_->wholeMoves().relaxBackward(way.whole, left);
    return left;
  }
  Values left = redistributeBack(stage, values);
  return way.fromTerms ? left
                       : inWholeSpace(left, spaces_->operandInWhole(),
                                      spaces_->whole().numLayouts());
}

std::vector<Values> BlockOperator::costsToGo(int64_t first, int64_t last,
                                             Values values) const {
  std::vector<Values> left(last - first + 1);
  for (int64_t stage = last; stage >= first; --stage)
    left[stage - first] = costToGoAt(
        stage, stage == last
                   ? values
                   : runBack(stage, resultsOf(stage, left[stage + 1 - first])));
  return left;
}

}  // namespace sbp::search
