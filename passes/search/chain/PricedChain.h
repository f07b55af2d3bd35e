// A chain with its spaces and all its prices.
//
// Positions 0 ... n are those of the residual tensors. The block between the
// positions p and p+1 is blockAt(p). Costs are time; or time plus a price for
// every byte of memory, for bounds under a memory limit (MemoryLimit.h).

#ifndef PASSES_SEARCH_CHAIN_PRICEDCHAIN_H_
#define PASSES_SEARCH_CHAIN_PRICEDCHAIN_H_

#include <memory>
#include <vector>

#include "passes/search/chain/BlockOperator.h"
#include "passes/search/chain/OpCost.h"

namespace sbp::search {

/// Costs of the states of an op, per storage of its weights.
struct OpTable {
  /// Costs per state, with one storage.
  struct Way {
    Storage storage = Storage::Z1;
    Values ticks;
    std::vector<double> bytes;  // empty if memory is ignored
  };
  std::vector<Way> ways;
};

/// Whether the bytes of ops are known.
enum class Memory { Ignored, Counted };

/// A chain, with the prices of its ops and moves.
class PricedChain {
 public:
  /// `chain` must have been checked (Chain::check), and must outlive this
  /// object.
  PricedChain(const Chain& chain, Memory memory);

  /// Sets the price of a byte on a device. Costs are rounded down, so sums are
  /// lower bounds.
  void setBytePrice(double ticksPerByte);
  double bytePrice() const { return bytePrice_; }

  const Chain& chain() const { return *chain_; }
  const ChainSpaces& spaces() const { return *spaces_; }
  const LayoutSpace& space() const { return spaces_->whole(); }

  int64_t numSteps() const { return static_cast<int64_t>(sequence_.size()); }
  int64_t blockAt(int64_t position) const { return sequence_[position]; }
  /// Returns the period of the blocks at a position: the number of steps after
  /// which they repeat.
  int64_t periodAt(int64_t position) const { return periods_[position]; }

  const BlockOperator& head() const { return *head_; }
  const BlockOperator& tail() const { return *tail_; }
  const BlockOperator& block(int64_t block) const { return *blocks_[block]; }
  int64_t numBlocks() const { return static_cast<int64_t>(blocks_.size()); }

  /// Costs of the addition that makes a residual tensor, per layout; kNever if
  /// a dimension would be split too finely.
  const Values& addition() const { return addition_; }
  /// Prices of moving a residual tensor around a block.
  const Tariff& skipTariff() const { return skipTariff_; }
  /// Return the costs of the skip around a block, from `from` to all layouts,
  /// or from all layouts to `to`.
  Values skipFrom(Layout from) const {
    return spaces_->wholeMoves().distancesFrom(skipTariff_, from);
  }

  Values skipTo(Layout to) const {
    return spaces_->wholeMoves().distancesTo(skipTariff_, to);
  }

  /// Return the costs of the head and of the tail, per layout of the residual
  /// tensor.
  Values headValues() const;
  Values tailValues() const;

  /// Costs of the states of each op of a block. States are layouts of
  /// ChainSpaces::resultSpace().
  const std::vector<OpTable>& headTables() const { return headTables_; }
  const std::vector<OpTable>& tailTables() const { return tailTables_; }
  const std::vector<OpTable>& blockTables(int64_t block) const {
    return blockTables_[block];
  }

  /// Returns how often each redistribution happens in a step: forward and
  /// backward, per micro-batch.
  double moveTimes() const {
    return 2 * static_cast<double>(chain_->microBatches);
  }

 private:
  std::vector<OpTable> tablesOf(const Block& block) const;
  OpCosts costsOf(const std::vector<OpTable>& tables) const;
  void setSequence();
  void priceAdditions();
  void makeOperators();

  const Chain* chain_;
  Memory memory_;
  double bytePrice_ = 0;
  std::unique_ptr<ChainSpaces> spaces_;
  std::vector<int64_t> sequence_, periods_;
  std::vector<OpTable> headTables_, tailTables_;
  std::vector<std::vector<OpTable>> blockTables_;
  std::unique_ptr<BlockOperator> head_, tail_;
  std::vector<std::unique_ptr<BlockOperator>> blocks_;
  Values addition_;
  Tariff skipTariff_;
};

}  // namespace sbp::search

#endif  // PASSES_SEARCH_CHAIN_PRICEDCHAIN_H_
