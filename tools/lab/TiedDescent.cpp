#include "tools/lab/TiedDescent.h"

#include <algorithm>
#include <random>

namespace sbp::search {
namespace {

class Descent {
 public:
  Descent(const PricedChain& priced, uint64_t seed)
      : priced_(priced),
        space_(priced.space()),
        repetition_(priced.chain().body.front()),
        random_(seed) {}

  Ticks run() {
    start();
    Ticks cost = kNever;
    for (bool falls = true; falls;) {
      Ticks before = cost;
      for (size_t b = 0; b < residuals_.size(); ++b) chooseResidual(b);
      chooseOps(priced_.head(), nullptr, &residuals_[0], head_);
      for (size_t b = 0; b < residuals_.size(); ++b)
        chooseOps(blockOperator(b), &residuals_[b], &residuals_[after(b)],
                  blocks_[b]);
      chooseOps(priced_.tail(), &residuals_[0], nullptr, tail_);
      cost = total();
      falls = cost < before;
    }
    return cost;
  }

 private:
  const BlockOperator& blockOperator(size_t b) const {
    return priced_.block(repetition_.blocks[b]);
  }
  size_t after(size_t b) const { return (b + 1) % residuals_.size(); }
  size_t before(size_t b) const {
    return (b + residuals_.size() - 1) % residuals_.size();
  }

  Layout drawLegal(const Values& costs) {
    while (true) {
      auto layout = static_cast<Layout>(random_() % costs.size());
      if (costs[layout] < kNever) return layout;
    }
  }

  void start() {
    auto draw = [&](const BlockOperator& blockOperator) {
      std::vector<Layout> results;
      for (int64_t op = 0; op < blockOperator.numOps(); ++op)
        results.push_back(drawLegal(blockOperator.cost(op)));
      return results;
    };
    residuals_.clear();
    blocks_.clear();
    for (int64_t block : repetition_.blocks) {
      residuals_.push_back(drawLegal(priced_.addition()));
      blocks_.push_back(draw(priced_.block(block)));
    }
    head_ = draw(priced_.head());
    tail_ = draw(priced_.tail());
  }

  /// Returns the costs of a stage from a result (or residual tensor) to all
  /// layouts.
  Values stageFrom(const BlockOperator& blockOperator, int64_t stage,
                   Layout from) const {
    int64_t size =
        stage == 0 ? space_.numLayouts()
                   : static_cast<int64_t>(blockOperator.cost(stage - 1).size());
    return blockOperator.redistribute(stage, onlyAt(from, size));
  }
  /// Returns the costs of a stage from all layouts to an operand (or residual
  /// tensor).
  Values stageTo(const BlockOperator& blockOperator, int64_t stage,
                 Layout to) const {
    int64_t size = stage == blockOperator.numOps()
                       ? space_.numLayouts()
                       : priced_.spaces().operand().numLayouts();
    return blockOperator.redistributeBack(stage, onlyAt(to, size));
  }

  void chooseOps(const BlockOperator& blockOperator, const Layout* from,
                 const Layout* to, std::vector<Layout>& results) {
    for (int64_t op = 0; op < blockOperator.numOps(); ++op) {
      Values values = blockOperator.cost(op);
      if (op > 0 || from)
        values = blockOperator.run(
            op, stageFrom(blockOperator, op, op > 0 ? results[op - 1] : *from));
      if (op + 1 < blockOperator.numOps() || to) {
        Values left =
            op + 1 < blockOperator.numOps()
                ? stageTo(blockOperator, op + 1,
                          blockOperator.reads(op + 1)[results[op + 1]])
                : stageTo(blockOperator, op + 1, *to);
        for (size_t i = 0; i < values.size(); ++i) values[i] += left[i];
      }
      results[op] = cheapestOf(values);
    }
  }

  void chooseResidual(size_t b) {
    const BlockOperator& came = blockOperator(before(b));
    Values values = stageFrom(came, came.numOps(), blocks_[before(b)].back());
    auto add = [](Values& to, const Values& more) {
      for (size_t i = 0; i < to.size(); ++i) to[i] += more[i];
    };
    add(values, priced_.addition());
    add(values,
        stageTo(blockOperator(b), 0, blockOperator(b).reads(0)[blocks_[b][0]]));
    if (residuals_.size() > 1) {
      if (came.block().hasSkip)
        add(values, priced_.skipFrom(residuals_[before(b)]));
      if (blockOperator(b).block().hasSkip)
        add(values, priced_.skipTo(residuals_[after(b)]));
    }
    auto times = static_cast<double>(repetition_.times);
    for (Ticks& value : values) value *= times;
    if (b == 0) {
      add(values,
          stageFrom(priced_.head(), priced_.head().numOps(), head_.back()));
      add(values, priced_.addition());
      add(values,
          stageTo(priced_.tail(), 0, priced_.tail().reads(0)[tail_[0]]));
    }
    residuals_[b] = cheapestOf(values);
  }

  /// Returns the cost of ops and stages of a block operator.
  Ticks along(const BlockOperator& blockOperator, const Layout* from,
              const Layout* to, const std::vector<Layout>& results) const {
    Ticks cost = 0;
    for (int64_t op = 0; op < blockOperator.numOps(); ++op) {
      cost += blockOperator.cost(op)[results[op]];
      if (op > 0 || from)
        cost += stageFrom(blockOperator, op,
                          op > 0 ? results[op - 1]
                                 : *from)[blockOperator.reads(op)[results[op]]];
    }
    if (to)
      cost +=
          stageFrom(blockOperator, blockOperator.numOps(), results.back())[*to];
    return cost;
  }

  Ticks total() const {
    Ticks layer = 0;
    for (size_t b = 0; b < residuals_.size(); ++b) {
      Layout to = residuals_[after(b)];
      layer += along(blockOperator(b), &residuals_[b], &to, blocks_[b]) +
               priced_.addition()[to];
      if (blockOperator(b).block().hasSkip)
        layer += priced_.skipFrom(residuals_[b])[to];
    }
    return along(priced_.head(), nullptr, &residuals_[0], head_) +
           priced_.addition()[residuals_[0]] +
           static_cast<double>(repetition_.times) * layer +
           along(priced_.tail(), &residuals_[0], nullptr, tail_);
  }

  const PricedChain& priced_;
  const LayoutSpace& space_;
  const Repetition& repetition_;
  std::mt19937_64 random_;
  std::vector<Layout> residuals_, head_, tail_;
  std::vector<std::vector<Layout>> blocks_;
};

}  // namespace

Ticks descendTied(const PricedChain& priced, int64_t descents, uint64_t seed) {
  Descent descent(priced, seed);
  Ticks least = kNever;
  for (int64_t i = 0; i < descents; ++i) least = std::min(least, descent.run());
  return least;
}

}  // namespace sbp::search
