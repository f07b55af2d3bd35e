#include "passes/search/budget/ReducedSpace.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace sbp::search {
namespace {

/// Collects arcs. An entry of a row is one arc, shared by all
/// positions.
class Builder {
 public:
  Builder(const PricedChain& priced, const Rows& rows) {
    reduced_.steps.resize(priced.numSteps() + 2);
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
    reduced_.steps[step].push_back(static_cast<int64_t>(reduced_.arcs.size()));
    reduced_.arcs.push_back({block, from, to, budget, {}});
  }

  /// Adds an arc for entry `entry` of row `row` of a block.
  void addEntry(int64_t step, int64_t block, size_t row, size_t entry,
                Layout from, Layout to, Ticks budget) {
    int64_t& number =
        numbers_[begins_[block][row] + static_cast<int64_t>(entry)];
    if (number < 0) {
      number = static_cast<int64_t>(reduced_.arcs.size());
      reduced_.arcs.push_back({block, from, to, budget, {}});
    }
    Ticks& most = reduced_.arcs[number].budget;
    most = std::max(most, budget);
    reduced_.steps[step].push_back(number);
  }

  std::vector<int64_t>& step(int64_t number) { return reduced_.steps[number]; }
  ReducedSpace take() { return std::move(reduced_); }

 private:
  ReducedSpace reduced_;
  // Index of the first entry of each row, per block.
  std::vector<std::vector<int64_t>> begins_;
  std::vector<int64_t> numbers_;  // indices of arcs; negative: none yet
};

}  // namespace

int64_t ReducedSpace::numStarts() const {
  std::set<std::pair<int64_t, Layout>> starts;
  for (const Arc& arc : arcs) starts.insert({arc.block, arc.from});
  return static_cast<int64_t>(starts.size());
}

int64_t ReducedSpace::numPasses() const {
  int64_t passes = 0;
  for (const std::vector<int64_t>& step : steps)
    passes += static_cast<int64_t>(step.size());
  return passes;
}

ReducedSpace reducedSpaceOf(const PricedChain& priced,
                            const ExactSearch& search, Ticks threshold) {
  const ValueFunctions& costToCome = search.costToCome();
  const ValueFunctions& costToGo = search.costToGo();
  int64_t numSteps = priced.numSteps();
  int64_t numLayouts = priced.space().numLayouts();
  Builder builder(priced, search.rows());
  for (Layout y = 0; y < numLayouts; ++y)
    if (Ticks left = threshold - costToGo.at(0, y); costToCome.at(0, y) <= left)
      builder.addEnd(0, Arc::kHead, 0, y, left);
  for (Layout x = 0; x < numLayouts; ++x)
    if (Ticks left = threshold - costToCome.at(numSteps, x);
        costToGo.at(numSteps, x) <= left)
      builder.addEnd(numSteps + 1, Arc::kTail, x, 0, left);
  // Positions with equal values on both sides have equal arcs.
  std::map<std::tuple<int64_t, int64_t, int64_t, Ticks>, int64_t> known;
  for (int64_t p = 0; p < numSteps; ++p) {
    int64_t block = priced.blockAt(p);
    Ticks offset = costToCome.offsetAt(p) + costToGo.offsetAt(p + 1);
    auto [place, isNew] = known.try_emplace(
        {block, costToCome.keyAt(p), costToGo.keyAt(p + 1), offset}, p + 1);
    if (!isNew) {
      builder.step(p + 1) = builder.step(place->second);
      continue;
    }
    auto come = costToCome.valuesAt(p), rest = costToGo.valuesAt(p + 1);
    auto go = costToGo.valuesAt(p);
    Ticks most = threshold - costToCome.offsetAt(p) - costToGo.offsetAt(p);
    const Values& behind = *rest;
    size_t number = 0;
    for (const auto& [x, row] : search.rows().ofBlock(block)) {
      size_t own = number++;
      // At one position, plans pass few of the layouts with rows.
      if (!((*come)[x] + (*go)[x] <= most)) continue;
      Ticks left = threshold - offset - (*come)[x];
      for (size_t i = 0; i < row.ticks.size(); ++i) {
        Layout y = row.layoutAt(i);
        if (row.ticks[i] + behind[y] <= left)
          builder.addEntry(p + 1, block, own, i, x, y, left - behind[y]);
      }
    }
  }
  return builder.take();
}

ReducedSpace reducedSpaceBetween(
    const PricedChain& priced, const ExactSearch& search,
    const std::vector<const std::vector<Layout>*>& plans, Ticks threshold) {
  int64_t numSteps = priced.numSteps();
  // Before the head and after the tail there is one place.
  std::vector<std::set<Layout>> places(numSteps + 3);
  places.front() = places.back() = {0};
  for (const std::vector<Layout>* plan : plans)
    for (int64_t p = 0; p <= numSteps; ++p) places[p + 1].insert((*plan)[p]);
  ReducedSpace reduced;
  std::map<std::tuple<int64_t, Layout, Layout>, int64_t> numbers;
  for (int64_t step = 0; step < numSteps + 2; ++step) {
    bool isHead = step == 0, isTail = step == numSteps + 1;
    int64_t block = isHead   ? Arc::kHead
                    : isTail ? Arc::kTail
                             : priced.blockAt(step - 1);
    std::vector<int64_t>& arcs = reduced.steps.emplace_back();
    for (Layout x : places[step])
      for (Layout y : places[step + 1]) {
        Ticks budget = threshold -
                       (isHead ? 0 : search.costToCome().at(step - 1, x)) -
                       (isTail ? 0 : search.costToGo().at(step, y));
        // Above the threshold, whatever the block costs.
        if (!(budget > -kNever)) continue;
        auto [number, isNew] = numbers.try_emplace(
            {block, x, y}, static_cast<int64_t>(reduced.arcs.size()));
        if (isNew) reduced.arcs.push_back({block, x, y, budget, {}});
        Arc& arc = reduced.arcs[number->second];
        arc.budget = std::max(arc.budget, budget);
        arcs.push_back(number->second);
      }
  }
  return reduced;
}

}  // namespace sbp::search
