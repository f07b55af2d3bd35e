#include "passes/search/budget/Fronts.h"

#include <algorithm>

namespace sbp::search {
Fronts::Fronts(const PricedChain& priced, ExactSearch& search,
               ReducedSpace& reduced, Ticks threshold, bool areLifted)
    : priced_(&priced),
      search_(&search),
      reduced_(&reduced),
      threshold_(threshold),
      around_(priced.numBlocks()),
      rows_(priced.numBlocks()) {
  Arcs head, tail;
  for (Arc& arc : reduced.arcs)
    if (arc.block == Arc::kHead)
      head.push_back(&arc);
    else if (arc.block == Arc::kTail)
      tail.push_back(&arc);
    else
      starts_[{arc.block, arc.from}].arcs.push_back(&arc);
  fillHead(head);
  fillTail(tail);
  for (auto& [lift, start] : starts_) {
    start.isLifted = areLifted;
    areFilled_ &= fill(lift.first, lift.second, start,
                       start.isLifted ? Axes::ByStart : Axes::ByClass);
    if (!areFilled_) return;
  }
}

bool Fronts::fill(int64_t block, Layout from, Start& start, Axes axes) {
  if (!rows_[block]) {
    around_[block] = search_->surroundingsOf(block);
    rows_[block] = std::make_unique<LiftedRows<Front>>(
        *priced_, search_->moves(FewMoves::Direction::Forward),
        search_->moves(FewMoves::Direction::Backward), block,
        around_[block].behind);
    Starts starts;
    for (auto start = starts_.lower_bound({block, 0});
         start != starts_.end() && start->first.first == block; ++start) {
      Layout layout = start->first.second;
      starts.push_back({layout, threshold_ - around_[block].before[layout]});
    }
    rows_[block]->expect(std::move(starts));
  }
  std::map<Layout, Arc*> byEnd;
  for (Arc* arc : start.arcs) {
    byEnd[arc->to] = arc;
    arc->front.clear();
  }
  std::vector<std::pair<Layout, Ticks>> budgets;
  for (const auto& [to, arc] : byEnd) budgets.push_back({to, arc->budget});
  auto row = rows_[block]->row(from, threshold_ - around_[block].before[from],
                               budgets, axes);
  if (!row) return false;
  for (auto& [to, front] : *row) byEnd.at(to)->front = std::move(front);
  return true;
}

bool Fronts::lift(int64_t block, Layout from, Start& start) {
  if (!start.isLifted) start.isLifted = fill(block, from, start, Axes::ByStart);
  return start.isLifted;
}

bool Fronts::lift(int64_t arc) {
  auto [block, from] =
      std::pair(reduced_->arcs[arc].block, reduced_->arcs[arc].from);
  // Fronts of head and tail are exact.
  return block < 0 || lift(block, from, starts_.at({block, from}));
}

bool Fronts::isLifted(int64_t arc) const {
  const Arc& asked = reduced_->arcs[arc];
  return asked.block < 0 || starts_.at({asked.block, asked.from}).isLifted;
}

bool Fronts::liftAll() {
  return std::all_of(starts_.begin(), starts_.end(), [&](auto& start) {
    return lift(start.first.first, start.first.second, start.second);
  });
}

const Values& Fronts::distancesFrom(const BlockOperator& blockOperator,
                                    int64_t stage, Layout result) {
  Values& known = distances_[{&blockOperator, stage, result}];
  if (known.empty())
    known = blockOperator.redistribute(
        stage, onlyAt(result, blockOperator.cost(stage - 1).size()));
  return known;
}

Fronts::End::End(const BlockOperator& blockOperator,
                 const std::vector<OpTable>& tables, const Values& operand,
                 Values ending)
    : blockOperator(&blockOperator),
      tables(&tables),
      left(blockOperator.numOps()) {
  if (!left.empty()) left.back() = std::move(ending);
  for (int64_t op = blockOperator.numOps() - 1; op > 0; --op)
    left[op - 1] =
        blockOperator.redistributeBack(op, blockOperator.runBack(op, left[op]));
  Values reached = operand;
  for (int64_t op = 0; op < blockOperator.numOps(); ++op) {
    if (op > 0) reached = blockOperator.redistribute(op, std::move(reached));
    reached = blockOperator.run(op, reached);
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
  for (int64_t op = 0; op < end.blockOperator->numOps(); ++op) {
    next.clear();
    for (Layout result : end.within[op]) {
      Layout read = end.blockOperator->reads(op)[result];
      Ticks within = most - end.left[op][result];
      Front come;
      if (op == 0)
        come = laterWithin(within, price, nothingPaid<Front>(), operand[read]);
      for (const auto& [before, paid] : results)
        lowerTo(
            laterWithin(within, price, paid,
                        distancesFrom(*end.blockOperator, op, before)[read]),
            come);
      Front front = laterWithin(within, price,
                                afterRun((*end.tables)[op], result, come), 0);
      if (!front.empty()) next.push_back({result, std::move(front)});
    }
    results.swap(next);
  }
  return results;
}

void Fronts::fillHead(const Arcs& arcs) {
  const BlockOperator& blockOperator = priced_->head();
  auto endingAt = [&](const Arcs& ends, bool isLessBudget) {
    Values ending(priced_->space().numLayouts(), kNever);
    for (const Arc* end : ends)
      ending[end->to] =
          priced_->addition()[end->to] - (isLessBudget ? end->budget : 0);
    return blockOperator.redistributeBack(blockOperator.numOps(),
                                          std::move(ending));
  };
  // The first op of the head reads no tensor.
  Values operand(priced_->spaces().operand().numLayouts(), 0);
  End head(blockOperator, priced_->headTables(), operand,
           endingAt(arcs, /*isLessBudget=*/true));
  Results results = follow(head, operand, /*most=*/0);
  for (Arc* arc : arcs) {
    Values way = endingAt({arc}, /*isLessBudget=*/false);
    arc->front.clear();
    for (const auto& [result, paid] : results)
      lowerTo(laterWithin(arc->budget, priced_->bytePrice(), paid, way[result]),
              arc->front);
  }
}

void Fronts::fillTail(const Arcs& arcs) {
  const BlockOperator& blockOperator = priced_->tail();
  Values start(priced_->space().numLayouts(), kNever);
  for (const Arc* arc : arcs) start[arc->from] = -arc->budget;
  End tail(blockOperator, priced_->tailTables(),
           blockOperator.redistribute(0, std::move(start)),
           Values(blockOperator.cost(blockOperator.numOps() - 1).size(), 0));
  for (Arc* arc : arcs) {
    arc->front.clear();
    Values operand = blockOperator.redistribute(
        0, onlyAt(arc->from, priced_->space().numLayouts()));
    for (const auto& [unused, paid] : follow(tail, operand, arc->budget))
      lowerTo(paid, arc->front);
  }
}

}  // namespace sbp::search
