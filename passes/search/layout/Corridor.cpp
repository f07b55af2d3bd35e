#include "passes/search/layout/Corridor.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sbp::search {
namespace {

Values onlyAt(Layout layout, size_t size) {
  Values values(size, kNever);
  values[layout] = 0;
  return values;
}

/// Gathers passages; an entry of a row is one, at all positions.
class Builder {
 public:
  Builder(const PricedChain& priced, const Rows& rows) {
    corridor_.steps.resize(priced.numSteps() + 2);
    for (int64_t block = 0; block < priced.numBlocks(); ++block) {
      begins_.emplace_back();
      for (const auto& [unused, row] : rows.ofBlock(block)) {
        begins_.back().push_back(static_cast<int64_t>(numbers_.size()));
        numbers_.resize(numbers_.size() + row.ticks.size(), -1);
      }
    }
  }

  void addEnd(int64_t step, int64_t block, Layout from, Layout to,
              Ticks budget) {
    corridor_.steps[step].push_back(
        static_cast<int64_t>(corridor_.passages.size()));
    corridor_.passages.push_back({block, from, to, budget, {}});
  }

  /// By the entry-th entry of the row-th row of a block.
  void addEntry(int64_t step, int64_t block, size_t row, size_t entry,
                Layout from, Layout to, Ticks budget) {
    int64_t& number =
        numbers_[begins_[block][row] + static_cast<int64_t>(entry)];
    if (number < 0) {
      number = static_cast<int64_t>(corridor_.passages.size());
      corridor_.passages.push_back({block, from, to, budget, {}});
    }
    Ticks& most = corridor_.passages[number].budget;
    most = std::max(most, budget);
    corridor_.steps[step].push_back(number);
  }

  std::vector<int64_t>& step(int64_t number) { return corridor_.steps[number]; }
  Corridor take() { return std::move(corridor_); }

 private:
  Corridor corridor_;
  // Per block and row, where the passages of its entries begin.
  std::vector<std::vector<int64_t>> begins_;
  std::vector<int64_t> numbers_;  // of passages; negative: none yet
};

}  // namespace

void keepUnbeaten(Front& front) {
  std::sort(front.begin(), front.end(),
            [](const TimeAndBytes& a, const TimeAndBytes& b) {
              return std::tie(a.ticks, a.bytes) < std::tie(b.ticks, b.bytes);
            });
  size_t kept = 0;
  for (const TimeAndBytes& cost : front)
    if (kept == 0 || cost.bytes < front[kept - 1].bytes) front[kept++] = cost;
  front.resize(kept);
}

int64_t Corridor::numStarts() const {
  std::set<std::pair<int64_t, Layout>> starts;
  for (const Passage& passage : passages)
    starts.insert({passage.block, passage.from});
  return static_cast<int64_t>(starts.size());
}

int64_t Corridor::numPasses() const {
  int64_t passes = 0;
  for (const std::vector<int64_t>& step : steps)
    passes += static_cast<int64_t>(step.size());
  return passes;
}

Corridor corridorOf(const PricedChain& priced, const ExactSearch& search,
                    Ticks reach) {
  const Trail& forward = search.forward();
  const Trail& backward = search.backward();
  int64_t numSteps = priced.numSteps();
  int64_t numLayouts = priced.space().numLayouts();
  Builder builder(priced, search.rows());
  for (Layout y = 0; y < numLayouts; ++y)
    if (Ticks left = reach - backward.at(0, y); forward.at(0, y) <= left)
      builder.addEnd(0, Passage::kHead, 0, y, left);
  for (Layout x = 0; x < numLayouts; ++x)
    if (Ticks left = reach - forward.at(numSteps, x);
        backward.at(numSteps, x) <= left)
      builder.addEnd(numSteps + 1, Passage::kTail, x, 0, left);
  // Positions with the same values on both sides have the same passages.
  std::map<std::tuple<int64_t, int64_t, int64_t, Ticks>, int64_t> known;
  for (int64_t p = 0; p < numSteps; ++p) {
    int64_t block = priced.blockAt(p);
    Ticks offset = forward.offsetAt(p) + backward.offsetAt(p + 1);
    auto [place, isNew] = known.try_emplace(
        {block, forward.keyAt(p), backward.keyAt(p + 1), offset}, p + 1);
    if (!isNew) {
      builder.step(p + 1) = builder.step(place->second);
      continue;
    }
    auto come = forward.valuesAt(p), rest = backward.valuesAt(p + 1);
    const Values& behind = *rest;
    size_t number = 0;
    for (const auto& [x, row] : search.rows().ofBlock(block)) {
      size_t own = number++;
      if ((*come)[x] == kNever) continue;
      Ticks left = reach - offset - (*come)[x];
      for (size_t i = 0; i < row.ticks.size(); ++i) {
        Layout y = row.layoutAt(i);
        if (row.ticks[i] + behind[y] <= left)
          builder.addEntry(p + 1, block, own, i, x, y, left - behind[y]);
      }
    }
  }
  return builder.take();
}

const Walk& CountedFronts::walkOf(int64_t block) const {
  return block == Passage::kHead   ? priced_->head()
         : block == Passage::kTail ? priced_->tail()
                                   : priced_->block(block);
}

const std::vector<OpTable>& CountedFronts::tablesOf(int64_t block) const {
  return block == Passage::kHead   ? priced_->headTables()
         : block == Passage::kTail ? priced_->tailTables()
                                   : priced_->blockTables(block);
}

void CountedFronts::fill(Corridor& corridor) {
  std::map<std::pair<int64_t, Layout>, Ends> byStart;
  for (Passage& passage : corridor.passages)
    byStart[{passage.block, passage.from}].push_back(&passage);
  for (const auto& [start, ends] : byStart)
    fill(start.first, start.second, ends);
}

const Values& CountedFronts::distancesFrom(int64_t block, int64_t leg,
                                           Layout result) {
  Values& known = from_[{block, leg, result}];
  const Walk& walk = walkOf(block);
  if (known.empty())
    known = walk.takeLeg(leg, onlyAt(result, walk.cost(leg - 1).size()));
  return known;
}

const Values& CountedFronts::distancesTo(int64_t block, Layout to) {
  Values& known = to_[{block, to}];
  const Walk& walk = walkOf(block);
  if (known.empty())
    known = walk.takeLegBack(walk.numOps(),
                             onlyAt(to, priced_->space().numLayouts()));
  return known;
}

Front CountedFronts::waysOf(const OpTable& table, Layout result) const {
  Front ways;
  for (const OpTable::Way& way : table.ways)
    if (way.ticks[result] < kNever)
      ways.push_back({way.ticks[result], way.bytes[result]});
  keepUnbeaten(ways);
  return ways;
}

void CountedFronts::fill(int64_t block, Layout from, const Ends& ends) {
  const Walk& walk = walkOf(block);
  const std::vector<OpTable>& tables = tablesOf(block);
  int64_t numOps = walk.numOps();
  bool isHead = block == Passage::kHead, isTail = block == Passage::kTail;
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
  std::vector<Ticks> extra;  // per end, what is paid besides the branch
  if (isTail) {
    ending.assign(reached.back().size(), -ends.front()->budget);
  } else {
    Values skip;
    if (walk.block().hasSkip && !isHead) skip = priced_->skipFrom(from);
    ending.assign(numLayouts, kNever);
    for (const Passage* end : ends) {
      extra.push_back(priced_->addition()[end->to] +
                      (skip.empty() ? 0 : skip[end->to]));
      ending[end->to] = extra.back() - end->budget;
    }
    ending = walk.takeLegBack(numOps, std::move(ending));
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
      Front ways = waysOf(tables[op], result);
      Front front;
      auto add = [&](const TimeAndBytes& before, Ticks distance) {
        for (const TimeAndBytes& way : ways) {
          TimeAndBytes sum{before.ticks + distance + way.ticks,
                           before.bytes + way.bytes};
          if (sum.ticks + price * sum.bytes <= most) front.push_back(sum);
        }
      };
      Layout operand = walk.reads(op)[result];
      if (op == 0)
        add({0, 0}, isHead ? 0 : first[operand]);
      else
        for (const auto& [before, labels] : results) {
          Ticks distance = distancesFrom(block, op, before)[operand];
          if (reached[op - 1][before] + distance > most) continue;
          for (const TimeAndBytes& label : labels) add(label, distance);
        }
      keepUnbeaten(front);
      if (!front.empty()) next.push_back({result, std::move(front)});
    }
    results.swap(next);
  }
  for (size_t i = 0; i < ends.size(); ++i) {
    Front& front = ends[i]->front;
    front.clear();
    const Values* way = isTail ? nullptr : &distancesTo(block, ends[i]->to);
    for (const auto& [result, labels] : results)
      for (TimeAndBytes label : labels) {
        if (!isTail) label.ticks += (*way)[result] + extra[i];
        if (label.ticks + price * label.bytes <= ends[i]->budget)
          front.push_back(label);
      }
    keepUnbeaten(front);
  }
}

}  // namespace sbp::search
