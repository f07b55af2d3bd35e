#include "passes/search/layout/ExactSearch.h"

#include <algorithm>
#include <tuple>

#include "passes/search/layout/Colours.h"

namespace sbp::search {
namespace {

/// How many rows are added before bounds are computed anew.
constexpr size_t kRowsAtOnce = 8;

}  // namespace

ExactSearch::ExactSearch(const PricedChain& priced, ExactOptions options)
    : priced_(&priced),
      options_(options),
      head_(priced.headValues()),
      tail_(priced.tailValues()),
      rows_(priced) {
  for (int64_t p = 0; p < priced.numSteps(); ++p) {
    blocks_.push_back(priced.blockAt(p));
    periods_.push_back(priced.periodAt(p));
  }
}

ExactAnswer ExactSearch::solve() {
  ExactAnswer answer;
  close();
  answer.countBound = limit_;
  if (options_.certifies && limit_ < kNever) {
    // As long as counts promise what placements do not keep.
    while (!(answer.isCertified = colourPlan())) {
      bool isTooLarge = false;
      for (RowName name : rowsOfPlan())
        isTooLarge |= coloured_.count(name) == 0;
      if (isTooLarge) break;
      rows_.clear();
      close();
    }
  }
  answer.optimum = limit_;
  answer.lowerBound = bound_;
  answer.rowsUsed = rowsUsed_;
  answer.colouredRows = static_cast<int64_t>(coloured_.size());
  answer.residuals = plan_;
  return answer;
}

void ExactSearch::close() {
  limit_ = kNever;
  plan_.clear();
  do {
    carry();
    findPlan();
    bound_ = std::min(bound(), limit_);
  } while (bound_ < limit_ && addRows());
  bound_ = limit_;
}

void ExactSearch::carry() {
  forward_ = std::make_unique<Trail>(
      Trail::Direction::Forward, head_, blocks_, periods_,
      [&](int64_t block, const Values& values) {
        return rows_.advance(block, values);
      });
  backward_ = std::make_unique<Trail>(
      Trail::Direction::Backward, tail_, blocks_, periods_,
      [&](int64_t block, const Values& values) {
        return rows_.retreat(block, values);
      });
}

Ticks ExactSearch::bound() const {
  Ticks least = kNever;
  for (Layout x = 0; x < priced_->space().numLayouts(); ++x)
    least = std::min(least, forward_->at(0, x) + backward_->at(0, x));
  return least;
}

void ExactSearch::findPlan() {
  auto numSteps = static_cast<int64_t>(blocks_.size());
  // Per position, the layouts with rows, what they cost and from where.
  struct Stop {
    Layout layout = 0;
    Ticks cost = kNever;
    int64_t from = -1;
  };
  std::vector<std::vector<Stop>> stops(numSteps + 1);
  for (int64_t p = 0; p < numSteps; ++p)
    for (const auto& [layout, unused] : rows_.ofBlock(blocks_[p]))
      stops[p].push_back({layout, p == 0 ? head_[layout] : kNever, -1});

  // Entries between layouts with rows, looked up once per pair of blocks.
  std::map<std::pair<int64_t, int64_t>, std::vector<Ticks>> entries;
  for (int64_t p = 0; p + 1 < numSteps; ++p) {
    std::vector<Ticks>& table = entries[{blocks_[p], blocks_[p + 1]}];
    if (table.empty())
      for (const auto& [unused, row] : rows_.ofBlock(blocks_[p]))
        for (const Stop& stop : stops[p + 1]) table.push_back(row[stop.layout]);
    const Ticks* entry = table.data();
    for (size_t i = 0; i < stops[p].size(); ++i)
      for (Stop& stop : stops[p + 1]) {
        Ticks cost = stops[p][i].cost + *entry++;
        if (cost < stop.cost) {
          stop.cost = cost;
          stop.from = static_cast<int64_t>(i);
        }
      }
  }
  // The last residual tensor may lie anywhere.
  Stop last;
  if (numSteps == 0) {
    for (size_t x = 0; x < tail_.size(); ++x)
      if (head_[x] + tail_[x] < last.cost)
        last = {static_cast<Layout>(x), head_[x] + tail_[x], -1};
  } else {
    size_t i = 0;
    for (const auto& [unused, row] : rows_.ofBlock(blocks_.back())) {
      for (size_t j = 0; j < row.to.size(); ++j) {
        Ticks cost =
            stops[numSteps - 1][i].cost + row.ticks[j] + tail_[row.to[j]];
        if (cost < last.cost)
          last = {row.to[j], cost, static_cast<int64_t>(i)};
      }
      ++i;
    }
  }
  if (!(last.cost < limit_)) return;
  limit_ = last.cost;
  plan_.assign(numSteps + 1, last.layout);
  for (int64_t p = numSteps - 1, at = last.from; p >= 0; --p) {
    plan_[p] = stops[p][at].layout;
    at = stops[p][at].from;
  }
}

bool ExactSearch::addRows() {
  // Each layout's least sum over all positions where it would start the block.
  std::vector<std::tuple<Ticks, int64_t, Layout>> candidates;
  int64_t numLayouts = priced_->space().numLayouts();
  for (int64_t block = 0; block < priced_->numBlocks(); ++block) {
    Values least(numLayouts, kNever);
    std::set<std::pair<int64_t, int64_t>> seen;
    for (size_t p = 0; p < blocks_.size(); ++p) {
      if (blocks_[p] != block) continue;
      if (!seen.insert({forward_->keyAt(p), backward_->keyAt(p)}).second)
        continue;
      const Values& come = forward_->valuesAt(p);
      const Values& go = backward_->valuesAt(p);
      Ticks offset = forward_->offsetAt(p) + backward_->offsetAt(p);
      for (int64_t x = 0; x < numLayouts; ++x)
        least[x] = std::min(least[x], come[x] + go[x] + offset);
    }
    for (const auto& [x, unused] : rows_.ofBlock(block)) least[x] = kNever;
    for (Layout x = 0; x < numLayouts; ++x)
      if (least[x] < limit_) candidates.push_back({least[x], block, x});
  }
  size_t number = std::min(kRowsAtOnce, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + number,
                    candidates.end());
  for (size_t i = 0; i < number; ++i)
    addRow({std::get<1>(candidates[i]), std::get<2>(candidates[i])});
  return number > 0;
}

void ExactSearch::addRow(RowName name) {
  rows_.set(name.first, name.second, prune(name, row(name)));
  ++rowsUsed_;
}

Values ExactSearch::row(RowName name) {
  if (coloured_.count(name) == 0)
    return rows_.countedRow(name.first, name.second);
  return ColouredBlock(*priced_, name.first, name.second).row();
}

Row ExactSearch::prune(RowName name, const Values& values) const {
  Values least(values.size(), kNever);
  std::set<std::pair<int64_t, int64_t>> seen;
  for (size_t p = 0; p < blocks_.size(); ++p) {
    if (blocks_[p] != name.first) continue;
    if (!seen.insert({forward_->keyAt(p), backward_->keyAt(p + 1)}).second)
      continue;
    Ticks come = forward_->at(p, name.second) + backward_->offsetAt(p + 1);
    const Values& go = backward_->valuesAt(p + 1);
    for (size_t y = 0; y < values.size(); ++y)
      least[y] = std::min(least[y], come + go[y]);
  }
  Row row;
  for (size_t y = 0; y < values.size(); ++y)
    if (values[y] < kNever && values[y] + least[y] <= limit_) {
      row.to.push_back(static_cast<Layout>(y));
      row.ticks.push_back(values[y]);
    }
  return row;
}

std::vector<ExactSearch::RowName> ExactSearch::rowsOfPlan() const {
  std::set<RowName> names;
  for (size_t p = 0; p < blocks_.size(); ++p)
    names.insert({blocks_[p], plan_[p]});
  return {names.begin(), names.end()};
}

bool ExactSearch::colourPlan() {
  // Of each row of the plan, where the plan goes from there.
  std::map<RowName, std::set<Layout>> used;
  for (size_t p = 0; p < blocks_.size(); ++p)
    used[{blocks_[p], plan_[p]}].insert(plan_[p + 1]);
  bool isKept = true;
  for (const auto& [name, ends] : used) {
    if (coloured_.count(name) > 0) continue;
    double number = ColouredBlock::numLayouts(*priced_, name.second);
    if (number > options_.maxColouredLayouts) {
      isKept = false;
      continue;
    }
    coloured_.insert(name);
    // With one colour per class, counts are all there is to know.
    if (number == static_cast<double>(priced_->space().numLayouts())) continue;
    Values values = row(name);
    const Row& counted = rows_.ofBlock(name.first).at(name.second);
    for (Layout end : ends) isKept &= values[end] == counted[end];
  }
  return isKept;
}

}  // namespace sbp::search
