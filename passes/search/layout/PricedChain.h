// A chain with its spaces and all its prices: what solvers walk over.
//
// Positions 0 ... n are those of the residual tensors; the block between
// positions p and p+1 is blockAt(p). Costs are time, or time plus a price for
// every byte of memory: for a bound under a memory limit (MemoryLimit.h).

#ifndef PASSES_SEARCH_LAYOUT_PRICEDCHAIN_H_
#define PASSES_SEARCH_LAYOUT_PRICEDCHAIN_H_

#include <memory>
#include <vector>

#include "passes/search/layout/OpCost.h"
#include "passes/search/layout/Pins.h"
#include "passes/search/layout/Walk.h"

namespace sbp::search {

/// What the states of an op cost, per storage that it may have.
struct OpTable {
  struct Way {
    Storage storage = Storage::Z1;
    Values ticks;
    std::vector<double> bytes;  // empty if memory is not asked for
  };
  std::vector<Way> ways;
};

enum class Memory { Ignored, Counted };

class PricedChain {
 public:
  /// `chain` has been checked, and outlives this.
  PricedChain(const Chain& chain, Memory memory);

  /// With the pins of `pinned`, which was made of `free`'s chain and outlives
  /// this. Shares what does not change.
  PricedChain(const PricedChain& free, const PinnedChain& pinned);

  /// Lets each byte on a device cost so many ticks. Rounds down: sums are lower
  /// bounds.
  void setBytePrice(double ticksPerByte);
  double bytePrice() const { return bytePrice_; }

  const Chain& chain() const { return *chain_; }
  const Terrain& terrain() const { return *terrain_; }
  const LayoutSpace& space() const { return terrain_->whole(); }

  int64_t numSteps() const { return static_cast<int64_t>(sequence_.size()); }
  int64_t blockAt(int64_t position) const { return sequence_[position]; }
  /// After how many steps blocks repeat there.
  int64_t periodAt(int64_t position) const { return periods_[position]; }

  const Walk& head() const { return *head_; }
  const Walk& tail() const { return *tail_; }
  const Walk& block(int64_t block) const { return *blocks_[block]; }
  int64_t numBlocks() const { return static_cast<int64_t>(blocks_.size()); }

  /// What residual tensors cost where they are made: an addition, and never
  /// where a dimension is split too finely.
  const Values& addition() const { return addition_; }
  /// Prices of moving a residual tensor around a block.
  const Tariff& skipTariff() const { return skipTariff_; }
  /// What it costs to skip a block from `from`, or to `to`.
  Values skipFrom(Layout from) const {
    return terrain_->wholeMoves().distancesFrom(skipTariff_, from);
  }

  Values skipTo(Layout to) const {
    return terrain_->wholeMoves().distancesTo(skipTariff_, to);
  }

  /// What the head and the tail cost, per layout of the residual tensor.
  Values headValues() const;
  Values tailValues() const;

  /// Per op of a block (see tablesOf for which) what states cost.
  const std::vector<OpTable>& headTables() const { return headTables_; }
  const std::vector<OpTable>& tailTables() const { return tailTables_; }
  const std::vector<OpTable>& blockTables(int64_t block) const {
    return blockTables_[block];
  }

  /// How often every redistribution happens in a step: forward and backward,
  /// for each micro-batch.
  double moveTimes() const {
    return 2 * static_cast<double>(chain_->microBatches);
  }

 private:
  std::vector<OpTable> tablesOf(const Block& block) const;
  OpCosts costsOf(const std::vector<OpTable>& tables) const;
  void setSequence();
  void priceAdditions();
  void makeWalks();

  const Chain* chain_;
  Memory memory_;
  double bytePrice_ = 0;
  std::shared_ptr<Terrain> terrain_;
  std::vector<int64_t> sequence_, periods_;
  std::vector<OpTable> headTables_, tailTables_;
  std::vector<std::vector<OpTable>> blockTables_;
  std::unique_ptr<Walk> head_, tail_;
  std::vector<std::unique_ptr<Walk>> blocks_;
  Values addition_;
  Tariff skipTariff_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_LAYOUT_PRICEDCHAIN_H_
