#include "passes/search/refinement/ExactSearch.h"

#include <algorithm>
#include <utility>

namespace sbp::search {
ExactSearch::ExactSearch(const PricedChain& priced, ExactOptions options)
    : priced_(&priced),
      options_(options),
      head_(priced.headValues()),
      tail_(priced.tailValues()),
      rows_(priced),
      mostWork_(options.maxWork),
      workPerNarrowRow_(static_cast<double>(priced.space().numLayouts()) /
                        kRefinement.narrowRowsPerSweep) {
  for (int64_t p = 0; p < priced.numSteps(); ++p) {
    blocks_.push_back(priced.blockAt(p));
    periods_.push_back(priced.periodAt(p));
  }
}

ExactAnswer ExactSearch::solve() {
  begin();
  return close();
}

ExactAnswer ExactSearch::proceed(double enoughGap, double moreWork) {
  options_.enoughGap = enoughGap;
  mostWork_ = work_ + moreWork;
  return close();
}

bool ExactSearch::isDone() const {
  // Without any plan there is no gap.
  return !(limit() - bound_ > options_.enoughGap * bound_);
}

void ExactSearch::begin() {
  refresh();
  descend();
  // A plan is needed as a start, even above the ceiling.
  Ticks ceiling = std::exchange(options_.ceiling, kNever);
  findPlan();
  options_.ceiling = ceiling;
  liftIncumbent();
  if (options_.enoughGap == 0) setAnchors();
  bound_ = std::min(bound(), limit());
}

ExactAnswer ExactSearch::close() {
  // Part of the way from bound to limit.
  const double firstPart = std::min(
      1.0, kRefinement.aimedBlocks / static_cast<double>(blocks_.size()));
  double aimedPart = firstPart;
  while (work_ < mostWork_) {
    if (isDone()) liftIncumbent();
    if (isDone()) break;
    // Each cheaper plan passes a missing layout or only layouts with rows.
    Ticks before = limit();
    std::vector<Candidate> missing = candidates(before);
    bool isLast =
        missing.size() <=
        (options_.enoughGap > 0 ? rowsAtOnce() : kRefinement.lastRows);
    Ticks aimed = before;
    if (isLast) {
      bool areFew = rows_.areFew(missing.size());
      isLast = addAll(cheapest(std::move(missing), kRefinement.lastRows),
                      rowsAtOnce(), areFew, /*prunesWide=*/false);
    } else {
      aimed = aim(missing, bound_ + (before - bound_) * aimedPart);
      // The missing layouts have no rows that hold up to the limit.
      if (!addUpTo(aimed)) addUpTo(aimed = before);
    }
    findPlan();
    // While much is left, plans change too often to lift each.
    bool isMuchNearer =
        kRefinement.farToLift * (planCost_ - bound_) <= incumbentCost_ - bound_;
    bool isLittleLeft = static_cast<int64_t>(candidates(limit()).size()) *
                            kRefinement.partToLift <=
                        priced_->space().numLayouts();
    if (isLast || isLittleLeft)
      liftIncumbent();
    else if (isMuchNearer)
      liftIncumbent(kRefinement.fewPlans);
    if (!isLast) {
      narrow();
      carry();
      bool isFar = bound() - bound_ >= 2 * (aimed - bound_);
      aimedPart = isFar ? firstPart
                        : std::min(1.0, kRefinement.aimedGrowth * aimedPart);
    }
    // With all rows that matter, the plan is the cheapest. But if it was
    // corrected it costs more, and more rows may matter.
    bound_ = std::min(isLast ? before : bound(), limit());
  }
  liftIncumbent();
  if (planCost_ < incumbentCost_ && incumbentCost_ < kNever) {
    // The search took too long to lift this plan.
    bound_ = std::min(bound_, planCost_);
    planCost_ = incumbentCost_;
    plan_ = incumbent_;
  }
  ExactAnswer answer;
  answer.isCertified = options_.certifies && isCertified_ && planCost_ < kNever;
  answer.optimum = planCost_;
  answer.lowerBound = bound_;
  answer.countBound = std::min(countBound_, planCost_);
  answer.rowsUsed = rowsUsed_;
  for (const auto& [unused, entries] : lifted_)
    answer.transitions += static_cast<int64_t>(entries.size());
  answer.residuals = plan_;
  return answer;
}

void ExactSearch::descend() {
  // Coordinate descent over one layout per block of the longest repetition:
  // each in turn gets its best value while its neighbours stay.
  const Repetition* longest = nullptr;
  int64_t position = 0, begin = 0;
  for (const Repetition& part : priced_->chain().body) {
    auto length = static_cast<int64_t>(part.blocks.size()) * part.times;
    if (!longest || part.times > longest->times) {
      longest = &part;
      position = begin + length / 2;
    }
    begin += length;
  }
  if (!longest || longest->blocks.empty()) return;
  Layout start = 0;
  Ticks least = kNever;
  auto come = costToCome_->valuesAt(position),
       go = costToGo_->valuesAt(position);
  for (Layout x = 0; x < priced_->space().numLayouts(); ++x) {
    Ticks sum = (*come)[x] + (*go)[x];
    if (sum < least) {
      least = sum;
      start = x;
    }
  }
  std::vector<int64_t> blocks = longest->blocks;
  // A layout must not be its own neighbour.
  if (blocks.size() == 1) blocks.push_back(blocks[0]);
  std::vector<Layout> cycle(blocks.size(), start);
  size_t unchanged = 0;
  for (size_t i = 0; unchanged < blocks.size() + 1;
       i = (i + 1) % blocks.size()) {
    size_t before = (i + blocks.size() - 1) % blocks.size();
    size_t after = (i + 1) % blocks.size();
    RowKey key{blocks[before], cycle[before]};
    if (rows_.ofBlock(key.first).count(key.second) == 0) addRow(key);
    const Values& row = rows_.ofBlock(key.first).at(key.second).ticks;
    Values column = rows_.countedColumn(blocks[i], cycle[after]);
    Layout best = cycle[i];
    for (Layout x = 0; x < priced_->space().numLayouts(); ++x)
      if (row[x] + column[x] < row[best] + column[best]) best = x;
    unchanged = best == cycle[i] ? unchanged + 1 : 0;
    cycle[i] = best;
  }
}

void ExactSearch::countEntries(size_t entries) {
  work_ += static_cast<double>(entries) / kRefinement.rowsPerSweep;
}

void ExactSearch::countWork(int64_t block, size_t layouts) {
  // Rows that are known in part add little work.
  double rows = static_cast<double>(rows_.numEntries(block)) /
                static_cast<double>(priced_->space().numLayouts());
  work_ += static_cast<double>(layouts) * (1 + rows / kRefinement.rowsPerSweep);
}

void ExactSearch::carry() {
  auto step = [&](const auto& take) {
    return [&, take](int64_t block, const Values& values,
                     const std::vector<Layout>* to) {
      countWork(block, to ? to->size() : values.size());
      if (!to) return take(block, values, nullptr);
      StepWithin within{*to, [&] { return branchOf(block); }};
      return take(block, values, &within);
    };
  };
  costToCome_ = std::make_shared<ValueFunctions>(
      ValueFunctions::Direction::Forward, head_, blocks_, periods_, surviving_,
      step([&](int64_t block, const Values& values, const StepWithin* within) {
        return rows_.advance(block, values, threshold_, within);
      }),
      kRefinement.mostPeriods);
  costToGo_ = std::make_shared<ValueFunctions>(
      ValueFunctions::Direction::Backward, tail_, blocks_, periods_, surviving_,
      step([&](int64_t block, const Values& values, const StepWithin* within) {
        return rows_.retreat(block, values, threshold_, within);
      }),
      kRefinement.mostPeriods);
}

void ExactSearch::narrow() {
  surviving_ = std::make_shared<SurvivingLayouts>(
      *costToCome_, *costToGo_, static_cast<int64_t>(blocks_.size()) + 1,
      threshold_);
  branches_.clear();
  branches_.resize(priced_->numBlocks());
  sweepsPerList_ = kRefinement.sweepsPerList *
                   static_cast<double>(surviving_->mostLayouts()) /
                   static_cast<double>(priced_->space().numLayouts());
}

const ListedBlock* ExactSearch::branchOf(int64_t block) {
  Branch& branch = branches_[block];
  // Lists moves when sweeps have taken as long as listing takes.
  if (branch.sweeps <= sweepsPerList_ && ++branch.sweeps > sweepsPerList_)
    branch.moves = listBranch(block);
  return branch.moves ? &*branch.moves : nullptr;
}

std::optional<ListedBlock> ExactSearch::listBranch(int64_t block) {
  auto [before, ending] = surroundingsOf(block);
  Starts starts;
  for (size_t x = 0; x < before.size(); ++x)
    if (before[x] <= threshold_)
      starts.push_back({static_cast<Layout>(x), threshold_ - before[x]});
  if (starts.size() > kRefinement.mostListed) return std::nullopt;
  for (size_t y = 0; y < ending.size(); ++y)
    ending[y] += priced_->addition()[y];
  const BlockOperator& blockOperator = priced_->block(block);
  return ListedBlock::of(
      *priced_, moves(FewMoves::Direction::Forward), block,
      ResultsByOperand(*priced_, block),
      blockOperator.costsToGo(0, blockOperator.numOps(), std::move(ending)),
      std::move(starts), kRefinement.mostListed);
}

void ExactSearch::refresh() {
  surviving_ = nullptr;
  for (size_t p = 0; p < blocks_.size() && !plan_.empty(); ++p)
    if (rows_.ofBlock(blocks_[p]).count(plan_[p]) == 0)
      addRow({blocks_[p], plan_[p]});
  carry();
}

void ExactSearch::setAnchors() {
  if (plan_.empty()) return;
  for (int64_t middle : middlePlaces()) {
    int64_t block = blocks_[middle];
    rows_.forgetAnchors(block);
    rows_.addAnchorFrom(block, plan_[middle]);
    rows_.addAnchorTo(block, plan_[middle + 1]);
  }
}

std::vector<int64_t> ExactSearch::middlePlaces() const {
  std::vector<int64_t> middles;
  for (int64_t block = 0; block < priced_->numBlocks(); ++block) {
    std::vector<int64_t> places = placesOf(block);
    if (!places.empty()) middles.push_back(places[places.size() / 2]);
  }
  return middles;
}

std::vector<int64_t> ExactSearch::placesOf(int64_t block) const {
  std::vector<int64_t> places;
  for (size_t p = 0; p < blocks_.size(); ++p)
    if (blocks_[p] == block) places.push_back(static_cast<int64_t>(p));
  return places;
}

Ticks ExactSearch::bound() const {
  // The bound is the higher one of those at the two ends of the chain. If
  // values were lowered, they may rise by more per block on one side than on
  // the other, and the rise is complete only at the end of the chain.
  Ticks greatest = 0;
  for (int64_t position : {int64_t{0}, static_cast<int64_t>(blocks_.size())}) {
    auto come = costToCome_->valuesAt(position);
    auto go = costToGo_->valuesAt(position);
    Ticks least = kNever;
    for (size_t x = 0; x < come->size(); ++x)
      least = std::min(least, (*come)[x] + (*go)[x]);
    greatest = std::max(greatest, least + costToCome_->offsetAt(position) +
                                      costToGo_->offsetAt(position));
  }
  return greatest;
}

auto ExactSearch::rowsWithin(Ticks limit) const -> std::vector<RowsByLayout> {
  std::vector<RowsByLayout> within(priced_->numBlocks());
  for (int64_t block = 0; block < priced_->numBlocks(); ++block) {
    ValuePairs pairs =
        valuePairsOf(*costToCome_, *costToGo_, placesOf(block), /*steps=*/0);
    auto boundAt = [&](const ValuePair& pair, Layout layout) {
      Ticks come = costToCome_->at(pair.position, layout) -
                   costToCome_->offsetAt(pair.position);
      Ticks go = costToGo_->at(pair.position, layout) -
                 costToGo_->offsetAt(pair.position);
      return come + go + pair.offset;
    };
    for (const auto& row : rows_.ofBlock(block))
      if (std::any_of(pairs.all.begin(), pairs.all.end(),
                      [&](const ValuePair& pair) {
                        return boundAt(pair, row.first) < limit;
                      }))
        within[block].push_back({row.first, &row.second});
  }
  return within;
}

void ExactSearch::findPlan() {
  auto numSteps = static_cast<int64_t>(blocks_.size());
  const std::vector<RowsByLayout> rows = rowsWithin(limit());
  // Layouts with rows per position, the cost to come to each, and its
  // predecessor.
  struct Stop {
    Layout layout = 0;
    Ticks cost = kNever;
    int64_t from = -1;
  };
  std::vector<std::vector<Stop>> stops(numSteps + 1);
  for (int64_t p = 0; p < numSteps; ++p)
    for (const auto& [layout, unused] : rows[blocks_[p]])
      stops[p].push_back({layout, p == 0 ? head_[layout] : kNever, -1});

  // Entries between layouts with rows, looked up once per pair of blocks.
  std::map<std::pair<int64_t, int64_t>, std::vector<Ticks>> entries;
  for (int64_t p = 0; p + 1 < numSteps; ++p) {
    std::vector<Ticks>& table = entries[{blocks_[p], blocks_[p + 1]}];
    if (table.empty())
      for (const auto& [unused, row] : rows[blocks_[p]])
        for (const Stop& stop : stops[p + 1])
          table.push_back((*row)[stop.layout]);
    countEntries(table.size());
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
  // The last residual tensor may have any layout.
  Stop last;
  if (numSteps == 0) {
    for (size_t x = 0; x < tail_.size(); ++x)
      if (head_[x] + tail_[x] < last.cost)
        last = {static_cast<Layout>(x), head_[x] + tail_[x], -1};
  } else {
    size_t i = 0;
    for (const auto& [unused, row] : rows[blocks_.back()]) {
      for (size_t j = 0; j < row->ticks.size(); ++j) {
        Layout to = row->layoutAt(j);
        Ticks cost = stops[numSteps - 1][i].cost + row->ticks[j] + tail_[to];
        if (cost < last.cost) last = {to, cost, static_cast<int64_t>(i)};
      }
      ++i;
    }
  }
  if (!(last.cost < limit())) return;
  planCost_ = last.cost;
  plan_.assign(numSteps + 1, last.layout);
  for (int64_t p = numSteps - 1, at = last.from; p >= 0; --p) {
    plan_[p] = stops[p][at].layout;
    at = stops[p][at].from;
  }
}

std::vector<ExactSearch::Candidate> ExactSearch::candidates(Ticks limit) const {
  std::vector<Candidate> candidates;
  int64_t numLayouts = priced_->space().numLayouts();
  for (int64_t block = 0; block < priced_->numBlocks(); ++block) {
    // Least sum of each layout over all positions where it would start the
    // block.
    Values least(numLayouts, kNever);
    for (const auto& [position, offset] :
         valuePairsOf(*costToCome_, *costToGo_, placesOf(block), 0).all) {
      auto come = costToCome_->valuesAt(position);
      auto go = costToGo_->valuesAt(position);
      for (int64_t x = 0; x < numLayouts; ++x)
        least[x] = std::min(least[x], (*come)[x] + (*go)[x] + offset);
    }
    for (const auto& [x, row] : rows_.ofBlock(block))
      if (row.holdsUpTo(limit)) least[x] = kNever;
    for (Layout x = 0; x < numLayouts; ++x)
      if (least[x] < limit) candidates.push_back({least[x], {block, x}});
  }
  return candidates;
}

std::vector<ExactSearch::RowKey> ExactSearch::cheapest(
    std::vector<Candidate> candidates, size_t most) {
  std::vector<RowKey> keys;
  for (auto begin = candidates.begin(); begin != candidates.end();) {
    auto end =
        std::find_if(begin, candidates.end(), [&](const Candidate& other) {
          return other.key.first != begin->key.first;
        });
    auto chosen = begin + std::min<int64_t>(most, end - begin);
    std::partial_sort(begin, chosen, end);
    for (; begin != chosen; ++begin) keys.push_back(begin->key);
    begin = end;
  }
  return keys;
}

}  // namespace sbp::search
