#include "passes/search/layout/Fronts.h"

#include <algorithm>

namespace sbp::search {
namespace {

/// Where counts were wrong of so many rows, they are not worth a try.
constexpr int64_t kManyRaised = 8;

}  // namespace

Fronts::Fronts(const PricedChain& priced, ExactSearch& search,
               Corridor& corridor, Ticks reach)
    : priced_(&priced),
      search_(&search),
      corridor_(&corridor),
      reach_(reach),
      around_(priced.numBlocks()),
      rows_(priced.numBlocks()) {
  for (Passage& passage : corridor.passages)
    starts_[{passage.block, passage.from}].passages.push_back(&passage);
  for (auto& [name, start] : starts_) {
    auto [block, from] = name;
    start.isNamed = block < 0 || search.numRaised() >= kManyRaised;
    if (block < 0)
      fillEnd(block == Passage::kHead, from, start.passages);
    else
      areFilled_ &=
          fill(block, from, start, start.isNamed ? Axes::Named : Axes::Alike);
    if (!areFilled_) return;
  }
}

bool Fronts::fill(int64_t block, Layout from, Start& start, Axes axes) {
  if (!rows_[block]) {
    around_[block] = search_->surroundingsOf(block);
    rows_[block] = std::make_unique<NamedRows<Front>>(
        *priced_, search_->moves(FewMoves::Direction::Forward),
        search_->moves(FewMoves::Direction::Backward), block,
        around_[block].behind);
  }
  std::map<Layout, Passage*> byEnd;
  for (Passage* passage : start.passages) {
    byEnd[passage->to] = passage;
    passage->front.clear();
  }
  std::vector<std::pair<Layout, Ticks>> budgets;
  for (const auto& [to, passage] : byEnd)
    budgets.push_back({to, passage->budget});
  auto row = rows_[block]->row(from, reach_ - around_[block].before[from],
                               budgets, axes);
  if (!row) return false;
  for (auto& [to, front] : *row) byEnd.at(to)->front = std::move(front);
  return true;
}

bool Fronts::name(int64_t block, Layout from, Start& start) {
  if (!start.isNamed) start.isNamed = fill(block, from, start, Axes::Named);
  return start.isNamed;
}

bool Fronts::name(int64_t passage) {
  auto [block, from] = std::pair(corridor_->passages[passage].block,
                                 corridor_->passages[passage].from);
  return name(block, from, starts_.at({block, from}));
}

bool Fronts::nameAll() {
  return std::all_of(starts_.begin(), starts_.end(), [&](auto& start) {
    return name(start.first.first, start.first.second, start.second);
  });
}

const Values& Fronts::distancesFrom(const Walk& walk, int64_t leg,
                                    Layout result) {
  Values& known = distances_[{&walk, leg, result}];
  if (known.empty())
    known = walk.takeLeg(leg, onlyAt(result, walk.cost(leg - 1).size()));
  return known;
}

void Fronts::fillEnd(bool isHead, Layout from, const Passages& passages) {
  const Walk& walk = isHead ? priced_->head() : priced_->tail();
  const std::vector<OpTable>& tables =
      isHead ? priced_->headTables() : priced_->tailTables();
  int64_t numOps = walk.numOps();
  size_t numLayouts = priced_->space().numLayouts();
  // The least cost to every result of every op, and what is left from there,
  // less the budget of where it leads: what is not above zero is within reach.
  std::vector<Values> reached(numOps), left(numOps);
  Values first;
  if (!isHead) first = walk.takeLeg(0, onlyAt(from, numLayouts));
  for (int64_t op = 0; op < numOps; ++op)
    reached[op] = op > 0   ? walk.run(op, walk.takeLeg(op, reached[op - 1]))
                  : isHead ? walk.cost(0)
                           : walk.run(0, first);
  Values ending;
  if (isHead) {
    ending.assign(numLayouts, kNever);
    for (const Passage* passage : passages)
      ending[passage->to] = priced_->addition()[passage->to] - passage->budget;
    ending = walk.takeLegBack(numOps, std::move(ending));
  } else {
    ending.assign(reached.back().size(), -passages.front()->budget);
  }
  for (int64_t op = numOps - 1; op >= 0; --op) {
    left[op] = ending;
    if (op > 0) ending = walk.takeLegBack(op, walk.runBack(op, ending));
  }

  double price = priced_->bytePrice();
  std::vector<std::pair<Layout, Front>> results, next;
  for (int64_t op = 0; op < numOps; ++op) {
    next.clear();
    for (size_t r = 0; r < reached[op].size(); ++r) {
      Ticks most = -left[op][r];
      if (!(reached[op][r] <= most)) continue;
      auto result = static_cast<Layout>(r);
      Layout operand = walk.reads(op)[result];
      Front come = neverPaid<Front>();
      if (op == 0)
        come = laterWithin(kNever, 0, nothingPaid<Front>(),
                           isHead ? 0 : first[operand]);
      for (const auto& [before, paid] : results) {
        Ticks distance = distancesFrom(walk, op, before)[operand];
        if (reached[op - 1][before] + distance <= most)
          lowerTo(laterWithin(most, price, paid, distance), come);
      }
      Front front =
          laterWithin(most, price, afterRun(tables[op], result, come), 0);
      if (!front.empty()) next.push_back({result, std::move(front)});
    }
    results.swap(next);
  }
  for (Passage* passage : passages) {
    Values way;
    if (isHead) {
      way = onlyAt(passage->to, numLayouts);
      way[passage->to] = priced_->addition()[passage->to];
      way = walk.takeLegBack(numOps, std::move(way));
    }
    passage->front.clear();
    for (const auto& [result, paid] : results)
      lowerTo(
          laterWithin(passage->budget, price, paid, isHead ? way[result] : 0),
          passage->front);
  }
}

}  // namespace sbp::search
