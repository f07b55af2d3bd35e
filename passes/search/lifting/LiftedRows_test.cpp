// Lifted rows have the costs of single transitions.

#include "passes/search/lifting/LiftedRows.h"

#include <map>
#include <random>

#include "gtest/gtest.h"
#include "passes/search/lifting/BlockTransition.h"
#include "passes/search/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// Calls `test(block, from)` for some blocks and layouts of random chains.
template <typename Test>
void forRandomStarts(Memory memory, int64_t number, const Test& test) {
  std::mt19937_64 random(7);
  for (int64_t tested = 0; tested < number;) {
    Chain chain = randomChain(random);
    if (chain.blocks.empty()) continue;
    PricedChain priced(chain, memory);
    if (memory == Memory::Counted)
      priced.setBytePrice(static_cast<double>(random() % 100));
    auto block = static_cast<int64_t>(random() % chain.blocks.size());
    auto from = static_cast<Layout>(random() % priced.space().numLayouts());
    if (priced.addition()[from] == kNever) continue;
    test(priced, block, from);
    ++tested;
  }
}

/// Returns rows of a block, without costs after it.
template <typename Paid>
class Rows {
 public:
  Rows(const PricedChain& priced, int64_t block)
      : ahead_(priced.spaces().wholeMoves()),
        back_(priced.spaces().wholeMoves(), FewMoves::Direction::Backward),
        rows_(priced, ahead_, back_, block,
              Values(priced.space().numLayouts(), 0)) {}

  LiftedRows<Paid>* operator->() { return &rows_; }

 private:
  FewMoves ahead_, back_;
  LiftedRows<Paid> rows_;
};

/// Returns the cost of a transition for single axes, by A*.
Ticks cheapest(const PricedChain& priced, int64_t block, Layout from,
               Layout to) {
  if (priced.addition()[to] == kNever) return kNever;
  BlockTransitions transitions = transitionsOf(priced, block, from, to);
  return transitions->empty() ? kNever : transitions->front().cost.ticks;
}

TEST(LiftedRows, HaveForEveryLayoutWhatItsCrossingCosts) {
  int64_t raised = 0;
  forRandomStarts(
      Memory::Ignored, 100,
      [&](const PricedChain& priced, int64_t block, Layout from) {
        Rows<Ticks> rows(priced, block);
        auto row = rows->row(from, kTicksPerSecond * 1e6);
        ASSERT_TRUE(row);
        std::map<Layout, Ticks> found(row->begin(), row->end());
        for (Layout to = 0; to < priced.space().numLayouts(); ++to) {
          auto entry = found.find(to);
          Ticks lifted = entry == found.end() ? kNever : entry->second;
          ASSERT_EQ(lifted, cheapest(priced, block, from, to));
          ASSERT_LE(rows->counted()[to], lifted);
          raised += rows->counted()[to] < lifted;
        }
      });
  // For some rows, counts of axes promise too little.
  EXPECT_GE(raised, 30);
}

TEST(LiftedRows, LeaveOutWhatIsAboveTheBudget) {
  forRandomStarts(Memory::Ignored, 100,
                  [&](const PricedChain& priced, int64_t block, Layout from) {
                    Rows<Ticks> rows(priced, block);
                    auto all = rows->row(from, kTicksPerSecond * 1e6);
                    ASSERT_TRUE(all);
                    if (all->empty()) return;
                    Ticks budget = (*all)[all->size() / 2].second;
                    std::map<Layout, Ticks> expected;
                    for (const auto& [to, ticks] : *all)
                      if (ticks <= budget) expected[to] = ticks;
                    auto some = rows->row(from, budget);
                    ASSERT_TRUE(some);
                    ASSERT_EQ(
                        (std::map<Layout, Ticks>(some->begin(), some->end())),
                        expected);
                  });
}

/// Transitions that are searched among few layouts per stage equal those of
/// transitionsOf().
TEST(LiftedRows, HaveCrossingsWithinTheBudget) {
  int64_t within = 0, none = 0;
  std::mt19937_64 random(8);
  for (Memory memory : {Memory::Ignored, Memory::Counted})
    forRandomStarts(
        memory, 100,
        [&](const PricedChain& priced, int64_t block, Layout from) {
          Rows<Ticks> rows(priced, block);
          for (Layout to = 0; to < priced.space().numLayouts(); ++to) {
            if (priced.addition()[to] == kNever || random() % 16 != 0) continue;
            TransitionQuery query{memory == Memory::Counted, kNever};
            BlockTransitions all =
                transitionsOf(priced, block, from, to, query);
            ASSERT_TRUE(all);
            auto costOf = [&](const BlockTransition& transition) {
              return transition.cost.ticks +
                     priced.bytePrice() * transition.cost.bytes;
            };
            query.budget = kTicksPerSecond;
            if (!all->empty() && costOf(all->front()) < kNever)
              query.budget =
                  costOf(all->front()) * (random() % 3 == 0 ? 0.99 : 1.02);
            std::vector<TimeAndBytes> expected;
            for (const BlockTransition& transition : *all)
              if (costOf(transition) <= query.budget)
                expected.push_back(transition.cost);
            BlockTransitions few = rows->transitions(from, to, query);
            ASSERT_TRUE(few);
            ASSERT_EQ(few->size(), expected.size());
            for (size_t i = 0; i < expected.size(); ++i) {
              ASSERT_EQ((*few)[i].cost.ticks, expected[i].ticks);
              ASSERT_EQ((*few)[i].cost.bytes, expected[i].bytes);
            }
            (expected.empty() ? none : within) += 1;
          }
        });
  EXPECT_GE(within, 100);
  EXPECT_GE(none, 100);
}

TEST(LiftedRows, HaveFrontsOfAllTimesAndBytesThatNoneBeats) {
  int64_t wide = 0;
  forRandomStarts(Memory::Counted, 20,
                  [&](const PricedChain& priced, int64_t block, Layout from) {
                    Rows<Front> rows(priced, block);
                    auto row = rows->row(from, kTicksPerSecond * 1e6);
                    ASSERT_TRUE(row);
                    std::map<Layout, Front> found(row->begin(), row->end());
                    for (Layout to = 0; to < priced.space().numLayouts();
                         ++to) {
                      if (priced.addition()[to] == kNever) continue;
                      BlockTransitions transitions =
                          transitionsOf(priced, block, from, to, {true});
                      ASSERT_TRUE(transitions);
                      Front expected;
                      for (const BlockTransition& transition : *transitions)
                        if (transition.cost.ticks < kNever)
                          expected.push_back(transition.cost);
                      keepUnbeaten(expected);
                      const Front& front = found[to];
                      ASSERT_EQ(front.size(), expected.size());
                      for (size_t i = 0; i < front.size(); ++i) {
                        ASSERT_EQ(front[i].ticks, expected[i].ticks);
                        ASSERT_EQ(front[i].bytes, expected[i].bytes);
                      }
                      wide += front.size() > 1;
                    }
                  });
  EXPECT_GE(wide, 30);
}

TEST(LiftedRows, AreThoseOfCountsWhereAxesAreAlike) {
  forRandomStarts(Memory::Ignored, 100,
                  [&](const PricedChain& priced, int64_t block, Layout from) {
                    Rows<Ticks> rows(priced, block);
                    Ticks budget = kTicksPerSecond * 1e6;
                    std::vector<std::pair<Layout, Ticks>> budgets;
                    for (Layout to = 0; to < priced.space().numLayouts(); ++to)
                      budgets.push_back({to, budget});
                    auto row = rows->row(from, budget, budgets, Axes::ByClass);
                    ASSERT_TRUE(row);
                    ASSERT_EQ(row->size(), rows->counted().to.size());
                    for (const auto& [to, ticks] : *row)
                      ASSERT_EQ(ticks, rows->counted()[to]);
                  });
}

}  // namespace
}  // namespace sbp::search
