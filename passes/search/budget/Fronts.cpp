#include "passes/search/budget/Fronts.h"

#include <algorithm>

namespace sbp::search {
Fronts::Fronts(const PricedChain& priced, ExactSearch& search,
               Corridor& corridor, Ticks reach, bool areNamed)
    : priced_(&priced),
      search_(&search),
      corridor_(&corridor),
      reach_(reach),
      around_(priced.numBlocks()),
      rows_(priced.numBlocks()) {
  Passages head, tail;
  for (Passage& passage : corridor.passages)
    if (passage.block == Passage::kHead)
      head.push_back(&passage);
    else if (passage.block == Passage::kTail)
      tail.push_back(&passage);
    else
      starts_[{passage.block, passage.from}].passages.push_back(&passage);
  fillHead(head);
  fillTail(tail);
  for (auto& [name, start] : starts_) {
    start.isNamed = areNamed;
    areFilled_ &= fill(name.first, name.second, start,
                       start.isNamed ? Axes::Named : Axes::Alike);
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
    Starts starts;
    for (auto start = starts_.lower_bound({block, 0});
         start != starts_.end() && start->first.first == block; ++start) {
      Layout layout = start->first.second;
      starts.push_back({layout, reach_ - around_[block].before[layout]});
    }
    rows_[block]->expect(std::move(starts));
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
  // Fronts of head and tail are exact.
  return block < 0 || name(block, from, starts_.at({block, from}));
}

bool Fronts::isNamed(int64_t passage) const {
  const Passage& asked = corridor_->passages[passage];
  return asked.block < 0 || starts_.at({asked.block, asked.from}).isNamed;
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

Fronts::End::End(const Walk& walk, const std::vector<OpTable>& tables,
                 const Values& operand, Values ending)
    : walk(&walk), tables(&tables), left(walk.numOps()) {
  if (!left.empty()) left.back() = std::move(ending);
  for (int64_t op = walk.numOps() - 1; op > 0; --op)
    left[op - 1] = walk.takeLegBack(op, walk.runBack(op, left[op]));
  Values reached = operand;
  for (int64_t op = 0; op < walk.numOps(); ++op) {
    if (op > 0) reached = walk.takeLeg(op, std::move(reached));
    reached = walk.run(op, reached);
    auto& results = within.emplace_back();
    for (size_t r = 0; r < reached.size(); ++r)
      if (reached[r] + left[op][r] <= 0)
        results.push_back(static_cast<Layout>(r));
  }
}

Fronts::Results Fronts::follow(const End& end, const Values& operand,
                               Ticks most) {
  double price = priced_->bytePrice();
  Results results, next;
  for (int64_t op = 0; op < end.walk->numOps(); ++op) {
    next.clear();
    for (Layout result : end.within[op]) {
      Layout read = end.walk->reads(op)[result];
      Ticks within = most - end.left[op][result];
      Front come;
      if (op == 0)
        come = laterWithin(within, price, nothingPaid<Front>(), operand[read]);
      for (const auto& [before, paid] : results)
        lowerTo(laterWithin(within, price, paid,
                            distancesFrom(*end.walk, op, before)[read]),
                come);
      Front front = laterWithin(within, price,
                                afterRun((*end.tables)[op], result, come), 0);
      if (!front.empty()) next.push_back({result, std::move(front)});
    }
    results.swap(next);
  }
  return results;
}

void Fronts::fillHead(const Passages& passages) {
  const Walk& walk = priced_->head();
  auto endingAt = [&](const Passages& ends, bool isLessBudget) {
    Values ending(priced_->space().numLayouts(), kNever);
    for (const Passage* end : ends)
      ending[end->to] =
          priced_->addition()[end->to] - (isLessBudget ? end->budget : 0);
    return walk.takeLegBack(walk.numOps(), std::move(ending));
  };
  // The first op of the head reads no tensor.
  Values operand(priced_->terrain().settled().numLayouts(), 0);
  End head(walk, priced_->headTables(), operand,
           endingAt(passages, /*isLessBudget=*/true));
  Results results = follow(head, operand, /*most=*/0);
  for (Passage* passage : passages) {
    Values way = endingAt({passage}, /*isLessBudget=*/false);
    passage->front.clear();
    for (const auto& [result, paid] : results)
      lowerTo(
          laterWithin(passage->budget, priced_->bytePrice(), paid, way[result]),
          passage->front);
  }
}

void Fronts::fillTail(const Passages& passages) {
  const Walk& walk = priced_->tail();
  Values start(priced_->space().numLayouts(), kNever);
  for (const Passage* passage : passages)
    start[passage->from] = -passage->budget;
  End tail(walk, priced_->tailTables(), walk.takeLeg(0, std::move(start)),
           Values(walk.cost(walk.numOps() - 1).size(), 0));
  for (Passage* passage : passages) {
    passage->front.clear();
    Values operand =
        walk.takeLeg(0, onlyAt(passage->from, priced_->space().numLayouts()));
    for (const auto& [unused, paid] : follow(tail, operand, passage->budget))
      lowerTo(paid, passage->front);
  }
}

}  // namespace sbp::search
