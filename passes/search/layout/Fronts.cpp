#include "passes/search/layout/Fronts.h"

#include <algorithm>

#include "passes/search/layout/NamedRows.h"

namespace sbp::search {
namespace {

Values onlyAt(Layout layout, size_t size) {
  Values values(size, kNever);
  values[layout] = 0;
  return values;
}

}  // namespace

bool Fronts::fill(Corridor& corridor, Ticks reach) {
  std::map<int64_t, std::map<Layout, Passages>> byBlock;
  for (Passage& passage : corridor.passages)
    byBlock[passage.block][passage.from].push_back(&passage);
  for (const auto& [block, byStart] : byBlock)
    if (block == Passage::kHead || block == Passage::kTail) {
      for (const auto& [from, passages] : byStart)
        fillEnd(block == Passage::kHead, from, passages);
    } else if (!fillBlock(block, byStart, reach)) {
      return false;
    }
  return true;
}

bool Fronts::fillBlock(int64_t block, const std::map<Layout, Passages>& byStart,
                       Ticks reach) {
  ExactSearch::Surroundings around = search_->surroundingsOf(block);
  NamedRows<Front> rows(*priced_, search_->moves(FewMoves::Direction::Forward),
                        search_->moves(FewMoves::Direction::Backward), block,
                        around.behind);
  for (const auto& [from, passages] : byStart) {
    std::map<Layout, Passage*> byEnd;
    for (Passage* passage : passages) byEnd[passage->to] = passage;
    std::vector<std::pair<Layout, Ticks>> budgets;
    for (const auto& [to, passage] : byEnd)
      budgets.push_back({to, passage->budget});
    auto row =
        rows.row(from, reach - around.before[from], budgets, maxColoured_);
    if (!row) return false;
    for (auto& [to, front] : *row) byEnd.at(to)->front = std::move(front);
  }
  return true;
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
