// The list of a block has all that plans below the threshold use.

#include "passes/search/chain/ListedBlock.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>

#include "gtest/gtest.h"
#include "passes/search/chain/NarrowRows.h"
#include "passes/search/testing/RandomChain.h"

namespace sbp::search {
namespace {

/// A block of a random chain, the costs after it, and starts of rows.
struct Question {
  const PricedChain& priced;
  int64_t block;
  FewMoves moves;
  std::shared_ptr<const ResultsByOperand> results;
  Values behind;
  Starts starts;

  const BlockOperator& blockOperator() const { return priced.block(block); }
};

template <typename Test>
void forRandomQuestions(int number, const Test& test) {
  std::mt19937_64 random(11);
  auto part = [&] { return static_cast<double>(random() % 1000) / 1000; };
  for (int tested = 0; tested < number;) {
    Chain chain = randomChain(random);
    if (chain.blocks.empty()) continue;
    PricedChain priced(chain, Memory::Ignored);
    auto block = static_cast<int64_t>(random() % chain.blocks.size());
    Question question{priced,
                      block,
                      FewMoves(priced.spaces().wholeMoves()),
                      std::make_shared<ResultsByOperand>(priced, block),
                      Values(priced.space().numLayouts()),
                      {}};
    Values toAll = priced.block(block).advance(
        onlyAt(static_cast<Layout>(random() % question.behind.size()),
               question.behind.size()));
    Ticks typical = kNever;
    for (Ticks ticks : toAll)
      if (ticks > 0) typical = std::min(typical, ticks);
    if (typical == kNever) continue;
    for (Ticks& left : question.behind) left = std::floor(part() * typical);
    for (Layout x = 0; x < priced.space().numLayouts(); ++x)
      if (random() % 3 == 0)
        question.starts.push_back({x, std::floor(4 * part() * typical)});
    test(question);
    ++tested;
  }
}

NarrowRows rowsOf(const Question& question, SkipAnchor anchor = nullptr) {
  return NarrowRows(question.priced, question.moves, question.block,
                    question.results, question.behind, std::move(anchor));
}

TEST(NarrowRows, AreTheSameWithAnAnchor) {
  int64_t entries = 0;
  forRandomQuestions(300, [&](const Question& question) {
    if (!question.blockOperator().block().hasSkip) return;
    auto distances = std::make_shared<const Values>(
        question.priced.skipTo(question.starts.size() % 7));
    NarrowRows plain = rowsOf(question);
    NarrowRows anchored = rowsOf(question, distances);
    size_t all = question.behind.size();
    for (auto [from, budget] : question.starts) {
      auto row = plain.row(from, budget, all);
      ASSERT_TRUE(row);
      auto other = anchored.row(from, budget, all);
      ASSERT_TRUE(other);
      ASSERT_EQ(row->to, other->to);
      ASSERT_EQ(row->ticks, other->ticks);
      entries += static_cast<int64_t>(row->to.size());
    }
  });
  EXPECT_GT(entries, 1000);
}

TEST(ListedBlock, RowsThatWereExpectedAreThoseThatWereNot) {
  int64_t entries = 0, missing = 0;
  forRandomQuestions(300, [&](const Question& question) {
    NarrowRows expected = rowsOf(question), asked = rowsOf(question);
    expected.expect(question.starts);
    size_t all = question.behind.size();
    for (auto [from, budget] : question.starts)
      for (Ticks within : {budget, std::floor(budget / 2)}) {
        auto row = expected.row(from, within, all);
        auto other = asked.row(from, within, all);
        ASSERT_TRUE(row && other);
        ASSERT_EQ(row->to, other->to);
        ASSERT_EQ(row->ticks, other->ticks);
        entries += static_cast<int64_t>(row->to.size());
        missing += static_cast<int64_t>(all - row->to.size());
      }
  });
  EXPECT_GE(entries, 1000);
  EXPECT_GE(missing, 1000);
}

TEST(ListedBlock, ValuesWithinReachAreCarriedAsOverTheWholeBlock) {
  int64_t within = 0, beyond = 0;
  forRandomQuestions(300, [&](const Question& question) {
    const BlockOperator& blockOperator = question.blockOperator();
    size_t all = question.behind.size();
    auto listed = ListedBlock::of(
        question.priced, question.moves, question.block, *question.results,
        blockOperator.costsToGo(0, blockOperator.numOps(), question.behind),
        question.starts, all);
    ASSERT_TRUE(listed);
    Values before(all, kNever);
    for (auto [from, budget] : question.starts) before[from] = -budget;
    Values ahead = blockOperator.advance(before);
    Values listedAhead = listed->advance(before);
    for (size_t y = 0; y < all; ++y) {
      bool isWithin = ahead[y] + question.behind[y] <= 0;
      if (isWithin) ASSERT_EQ(listedAhead[y], ahead[y]);
      ASSERT_GE(listedAhead[y], ahead[y]);
      ++(isWithin ? within : beyond);
    }
    Values back = blockOperator.retreat(question.behind);
    Values listedBack = listed->retreat(question.behind);
    for (auto [x, budget] : question.starts) {
      if (back[x] <= budget) ASSERT_EQ(listedBack[x], back[x]);
      ASSERT_GE(listedBack[x], back[x]);
    }
  });
  EXPECT_GE(within, 1000);
  EXPECT_GE(beyond, 1000);
}

}  // namespace
}  // namespace sbp::search
