#include "passes/search/chain/PricedChain.h"

#include <algorithm>
#include <cmath>

namespace sbp::search {

PricedChain::PricedChain(const Chain& chain, Memory memory)
    : chain_(&chain),
      memory_(memory),
      spaces_(
          std::make_unique<ChainSpaces>(chain, axisClassesOf(chain.levels))),
      headTables_(tablesOf(chain.head)),
      tailTables_(tablesOf(chain.tail)) {
  setSequence();
  for (const Block& block : chain.blocks)
    blockTables_.push_back(tablesOf(block));
  skipTariff_ = spaces_->wholeMoves().tariff(chain.residualBytes, moveTimes());
  priceAdditions();
  makeOperators();
}

void PricedChain::setSequence() {
  sequence_ = chain_->sequence();
  for (const Repetition& part : chain_->body)
    periods_.insert(periods_.end(), part.times * part.blocks.size(),
                    static_cast<int64_t>(part.blocks.size()));
}

std::vector<OpTable> PricedChain::tablesOf(const Block& block) const {
  std::vector<OpTable> tables;
  for (const Op& op : block.ops) {
    const LayoutSpace& space = spaces_->resultSpace(op);
    OpPricer pricer(*chain_, op, space);
    OpTable& table = tables.emplace_back();
    for (Storage storage : op.storages) {
      OpTable::Way way{storage, Values(space.numLayouts()), {}};
      if (memory_ == Memory::Counted) way.bytes.resize(space.numLayouts());
      for (Layout layout = 0; layout < space.numLayouts(); ++layout) {
        TimeAndBytes price = pricer.price(layout, storage);
        way.ticks[layout] = price.ticks;
        if (memory_ == Memory::Counted) way.bytes[layout] = price.bytes;
      }
      table.ways.push_back(std::move(way));
      // No other way takes less time than the first, and ops without weights
      // have only one way.
      if (op.parameters == 0 ||
          (memory_ == Memory::Ignored && storage == Storage::Z1))
        break;
    }
  }
  return tables;
}

OpCosts PricedChain::costsOf(const std::vector<OpTable>& tables) const {
  OpCosts costs;
  for (const OpTable& table : tables) {
    if (bytePrice_ == 0 && table.ways.size() == 1) {
      // Shared with the table, which outlives the block operator.
      costs.emplace_back(std::shared_ptr<void>(), &table.ways[0].ticks);
      continue;
    }
    auto least = std::make_shared<Values>(table.ways[0].ticks.size(), kNever);
    for (const OpTable::Way& way : table.ways)
      for (size_t i = 0; i < least->size(); ++i) {
        Ticks cost = way.ticks[i];
        if (bytePrice_ > 0) cost = std::floor(cost + bytePrice_ * way.bytes[i]);
        (*least)[i] = std::min((*least)[i], cost);
      }
    costs.push_back(std::move(least));
  }
  return costs;
}

void PricedChain::setBytePrice(double ticksPerByte) {
  bytePrice_ = ticksPerByte;
  makeOperators();
}

void PricedChain::makeOperators() {
  auto blockOperator = [&](const Block& block,
                           const std::vector<OpTable>& tables) {
    return std::make_unique<BlockOperator>(*spaces_, block, costsOf(tables),
                                           moveTimes());
  };
  head_ = blockOperator(chain_->head, headTables_);
  tail_ = blockOperator(chain_->tail, tailTables_);
  blocks_.clear();
  for (size_t i = 0; i < chain_->blocks.size(); ++i)
    blocks_.push_back(blockOperator(chain_->blocks[i], blockTables_[i]));
}

void PricedChain::priceAdditions() {
  const LayoutSpace& space = spaces_->whole();
  addition_.assign(space.numLayouts(), kNever);
  // An addition reads two terms and writes a sum. The sum's gradient serves
  // both.
  double bytes =
      3 * chain_->residualBytes * static_cast<double>(chain_->microBatches);
  for (Layout layout = 0; layout < space.numLayouts(); ++layout) {
    bool isLegal = true;
    for (Kind dim = 0; dim < space.numDims(); ++dim) {
      double devices = 1;
      for (size_t level = 0; level < chain_->levels.size(); ++level)
        devices *= space.devices(level, space.partOf(layout, level), dim);
      isLegal &= devices <= static_cast<double>(chain_->extents[dim]);
    }
    if (isLegal)
      addition_[layout] = ticksOf(bytes * space.heldFraction(layout) /
                                  chain_->processor.bytesPerSecond);
  }
}

Values PricedChain::headValues() const {
  Values values = head_->cost(0);
  for (int64_t op = 1; op < head_->numOps(); ++op)
    values = head_->run(op, head_->redistribute(op, std::move(values)));
  values = head_->redistribute(head_->numOps(), std::move(values));
  for (size_t i = 0; i < values.size(); ++i) values[i] += addition_[i];
  return values;
}

Values PricedChain::tailValues() const {
  int64_t last = tail_->numOps() - 1;
  Values values(tail_->cost(last).size(), 0);
  for (int64_t op = last; op >= 0; --op)
    values = tail_->redistributeBack(op, tail_->runBack(op, values));
  return values;
}

}  // namespace sbp::search
