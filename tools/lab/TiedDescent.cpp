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
        chooseOps(walk(b), &residuals_[b], &residuals_[after(b)], blocks_[b]);
      chooseOps(priced_.tail(), &residuals_[0], nullptr, tail_);
      cost = total();
      falls = cost < before;
    }
    return cost;
  }

 private:
  const Walk& walk(size_t b) const {
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
    auto draw = [&](const Walk& walk) {
      std::vector<Layout> results;
      for (int64_t op = 0; op < walk.numOps(); ++op)
        results.push_back(drawLegal(walk.cost(op)));
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

  /// Returns the costs of a leg from a result (or residual tensor) to all
  /// layouts.
  Values legFrom(const Walk& walk, int64_t leg, Layout from) const {
    int64_t size = leg == 0 ? space_.numLayouts()
                            : static_cast<int64_t>(walk.cost(leg - 1).size());
    return walk.takeLeg(leg, onlyAt(from, size));
  }
  /// Returns the costs of a leg from all layouts to an operand (or residual
  /// tensor).
  Values legTo(const Walk& walk, int64_t leg, Layout to) const {
    int64_t size = leg == walk.numOps()
                       ? space_.numLayouts()
                       : priced_.terrain().settled().numLayouts();
    return walk.takeLegBack(leg, onlyAt(to, size));
  }

  void chooseOps(const Walk& walk, const Layout* from, const Layout* to,
                 std::vector<Layout>& results) {
    for (int64_t op = 0; op < walk.numOps(); ++op) {
      Values values = walk.cost(op);
      if (op > 0 || from)
        values =
            walk.run(op, legFrom(walk, op, op > 0 ? results[op - 1] : *from));
      if (op + 1 < walk.numOps() || to) {
        Values left =
            op + 1 < walk.numOps()
                ? legTo(walk, op + 1, walk.reads(op + 1)[results[op + 1]])
                : legTo(walk, op + 1, *to);
        for (size_t i = 0; i < values.size(); ++i) values[i] += left[i];
      }
      results[op] = cheapestOf(values);
    }
  }

  void chooseResidual(size_t b) {
    const Walk& came = walk(before(b));
    Values values = legFrom(came, came.numOps(), blocks_[before(b)].back());
    auto add = [](Values& to, const Values& more) {
      for (size_t i = 0; i < to.size(); ++i) to[i] += more[i];
    };
    add(values, priced_.addition());
    add(values, legTo(walk(b), 0, walk(b).reads(0)[blocks_[b][0]]));
    if (residuals_.size() > 1) {
      if (came.block().hasSkip)
        add(values, priced_.skipFrom(residuals_[before(b)]));
      if (walk(b).block().hasSkip)
        add(values, priced_.skipTo(residuals_[after(b)]));
    }
    auto times = static_cast<double>(repetition_.times);
    for (Ticks& value : values) value *= times;
    if (b == 0) {
      add(values,
          legFrom(priced_.head(), priced_.head().numOps(), head_.back()));
      add(values, priced_.addition());
      add(values, legTo(priced_.tail(), 0, priced_.tail().reads(0)[tail_[0]]));
    }
    residuals_[b] = cheapestOf(values);
  }

  /// Returns the cost of ops and legs of a walk.
  Ticks along(const Walk& walk, const Layout* from, const Layout* to,
              const std::vector<Layout>& results) const {
    Ticks cost = 0;
    for (int64_t op = 0; op < walk.numOps(); ++op) {
      cost += walk.cost(op)[results[op]];
      if (op > 0 || from)
        cost += legFrom(
            walk, op,
            op > 0 ? results[op - 1] : *from)[walk.reads(op)[results[op]]];
    }
    if (to) cost += legFrom(walk, walk.numOps(), results.back())[*to];
    return cost;
  }

  Ticks total() const {
    Ticks layer = 0;
    for (size_t b = 0; b < residuals_.size(); ++b) {
      Layout to = residuals_[after(b)];
      layer += along(walk(b), &residuals_[b], &to, blocks_[b]) +
               priced_.addition()[to];
      if (walk(b).block().hasSkip) layer += priced_.skipFrom(residuals_[b])[to];
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
