#include "passes/search/layout/Pins.h"

#include <map>

namespace sbp::search {

PinnedChain withPins(const Chain& chain, const std::vector<Pin>& pins) {
  PinnedChain pinned{chain, {}};
  std::map<int64_t, std::vector<std::pair<int64_t, Layout>>> byPosition;
  for (const Pin& pin : pins)
    byPosition[pin.position].push_back({pin.op, pin.result});

  std::vector<Repetition>& body = pinned.chain.body;
  body.clear();
  int64_t position = 0;
  for (const Repetition& part : chain.body) {
    auto period = static_cast<int64_t>(part.blocks.size());
    int64_t free = 0;  // repetitions without pins so far
    auto endFree = [&] {
      if (free > 0) body.push_back({part.blocks, free});
      free = 0;
    };
    for (int64_t i = 0; i < part.times; ++i, position += period) {
      auto pin = byPosition.lower_bound(position);
      if (pin == byPosition.end() || pin->first >= position + period) {
        ++free;
        continue;
      }
      endFree();
      std::vector<int64_t> blocks = part.blocks;
      for (; pin != byPosition.end() && pin->first < position + period; ++pin) {
        int64_t& block = blocks[pin->first - position];
        pinned.added.push_back({block, pin->second});
        pinned.chain.blocks.push_back(chain.blocks[block]);
        block = static_cast<int64_t>(pinned.chain.blocks.size()) - 1;
      }
      body.push_back({std::move(blocks), 1});
    }
    endFree();
  }
  return pinned;
}

}  // namespace sbp::search
